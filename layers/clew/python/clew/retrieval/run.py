"""One item of a plan: run its worker and shape the result."""

import time

from clew.errors import UnknownKnowledgeBaseError
from clew.retrieval.evidence import Passage, Reference, RetrievalRun
from clew.retrieval.pool import AgentPool
from clew.routing.decision import RagRunSpec
from clew.routing.worker_name import parse_worker_name


def run_worker(pool: AgentPool, spec: RagRunSpec, query: str, session_id: str) -> RetrievalRun:
    """The worker's evidence; its errors are left to the workflow, which knows what to do by their names."""
    worker = parse_worker_name(spec.worker_name)
    if not worker.kb_prefix:
        raise UnknownKnowledgeBaseError("")
    began = time.perf_counter()
    result = pool.agent(worker).retrieve_with_trace(query, session_id)
    return RetrievalRun(
        worker_name=spec.worker_name,
        agent_type=worker.agent_type,
        passages=tuple(Passage.model_validate(record) for record in result["retrieval_results"]),
        reference=Reference.model_validate(result["reference"]),
        took_ms=round((time.perf_counter() - began) * 1000, 1),
    )
