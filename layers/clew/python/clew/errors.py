"""The tree of errors that Clew raises; class names are API, since workflow Retry and Catch match on them.

ClewError
├── CallerError                    the caller must change something
│   ├── InvalidRequestError
│   │   └── MessageTooLongError    more characters than a request may carry
│   ├── UnknownKnowledgeBaseError
│   ├── UnknownAgentTypeError
│   ├── WorkerNameError
│   ├── MessageTooLargeError       more bytes than an item of the table may carry
│   ├── ConversationNotFoundError
│   ├── ConversationClearedError   the message was cleared while it was being answered
│   ├── MessageNotFoundError
│   ├── AnsweredElsewhereError     another request has taken over the answer
│   ├── EntityNotFoundError
│   ├── ImageError                 a picture that is not taken
│   ├── ModelNotAllowedError       a model that the stage does not let a request choose
│   ├── DocumentError              a file or record that cannot be loaded
│   └── ForbiddenError
├── TransientError                 the same call may succeed later
│   ├── GraphUnavailableError
│   ├── ModelThrottledError
│   ├── ModelUnavailableError
│   ├── ThrottledError
│   └── StoreUnavailableError
└── InternalError                  we must change something
    ├── ConfigurationError
    ├── TurnTimeoutError           the time for one answer has passed
    ├── WorkflowError
    ├── RetrievalFailedError       every worker of the plan failed
    ├── GraphError
    ├── StoreError
    └── ModelError
"""

import re
from typing import Final

MOST_ECHOED: Final = 140  # characters of what somebody sent that a message repeats
MOST_LISTED: Final = 20  # names of what there is

_ARN: Final = re.compile(r"\barn:[^\s'\"`<>(){}\[\],;]*", re.IGNORECASE)


def without_arns(text: str) -> str:
    """``text`` with the resource's own name in the place of each ARN, which names its account and region too."""
    return _ARN.sub(lambda arn: _resource(arn[0]), text)


def _resource(arn: str) -> str:
    parts = arn.split(":", 5)
    names = re.split("[/:]+", parts[5].rstrip("/:")) if len(parts) == 6 else []
    return (names[-1] if names else "") or "(ARN)"


class ClewError(Exception):
    """Root of all errors that Clew raises on purpose.

    ``str(error)`` is written for the caller and safe to show: it holds no stack trace, no text of a prompt
    and, whatever it is made with, no ARN. Details belong in ``__cause__`` and in the log.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(without_arns(message))


class CallerError(ClewError):
    """The caller must change something; trying again as is cannot help."""


class InvalidRequestError(CallerError):
    """A request that does not fit its schema; ``fields`` maps a field's path to what is wrong with it."""

    def __init__(self, message: str, fields: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields = fields or {}


class MessageTooLongError(InvalidRequestError):
    """A message of more characters than a request may carry; ``length`` and ``limit`` are characters."""

    def __init__(self, length: int, limit: int) -> None:
        self.length = length
        self.limit = limit
        super().__init__(
            f"The message has {length:,} characters; at most {limit:,} are taken. Shorten or split it.",
            {"message": f"longer than {limit:,} characters"},
        )


class UnknownKnowledgeBaseError(CallerError):
    """No knowledge base of that prefix exists for the tenant; ``known`` lists those that do."""

    def __init__(self, kb_prefix: str, known: list[str] | None = None) -> None:
        self.kb_prefix = kb_prefix
        self.known = known or []
        listed = ", ".join(self.known[:MOST_LISTED]) or "none is loaded yet"
        more = ", …" if len(self.known) > MOST_LISTED else ""
        super().__init__(f"There is no knowledge base {kb_prefix[:MOST_ECHOED]!r}. Known: {listed}{more}.")


class UnknownAgentTypeError(CallerError):
    """An agent type outside the five that the routing contract names."""

    def __init__(self, agent_type: str, known: tuple[str, ...]) -> None:
        self.agent_type = agent_type
        super().__init__(f"There is no agent type {agent_type[:MOST_ECHOED]!r}. Known: {', '.join(known)}.")


class WorkerNameError(CallerError):
    """A worker name that is not ``{kb_prefix}:{agent_type}:retrieve_only`` or one of its short forms."""


class MessageTooLargeError(CallerError):
    """A message beyond the size that is stored; ``size`` and ``limit`` are bytes of UTF-8."""

    def __init__(self, size: int, limit: int) -> None:
        self.size = size
        self.limit = limit
        super().__init__(f"The message has {size:,} bytes; at most {limit:,} are stored. Shorten it.")


class ConversationNotFoundError(CallerError):
    """The user has no conversation under that session id, or the tenant none of that conversation id."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        super().__init__(f"There is no conversation {session_id[:MOST_ECHOED]!r} for this user.")


class ConversationClearedError(CallerError):
    """The message that was being answered has been cleared meanwhile, so that its answer is not stored."""

    def __init__(self, conversation_id: str) -> None:
        self.conversation_id = conversation_id
        super().__init__(
            "The conversation was cleared while the message was being answered; the answer is not kept. "
            "Send the message again to have it answered."
        )


class MessageNotFoundError(CallerError):
    """No message of that id exists in the conversation."""

    def __init__(self, message_id: str) -> None:
        self.message_id = message_id
        super().__init__(f"There is no message {message_id[:MOST_ECHOED]!r} in this conversation.")


class AnsweredElsewhereError(CallerError):
    """A repeat of the message has taken over, since this one's answer had shown no sign of life."""

    def __init__(self) -> None:
        super().__init__("The answer is being given to a repeat of this message.")


class EntityNotFoundError(CallerError):
    """No entity of the knowledge base has that name; ``suggestions`` are names that may have been meant."""

    def __init__(self, name: str, kb_prefix: str, suggestions: list[str]) -> None:
        self.suggestions = suggestions
        told = f" Did you mean: {'; '.join(suggestions)}?" if suggestions else " Try the title of a document."
        super().__init__(f"There is no entity {name[:MOST_ECHOED]!r} in {kb_prefix!r}.{told}")


class ImageError(CallerError):
    """A picture that is not taken: its type, its size, or that the chat model reads none."""


class ModelNotAllowedError(CallerError):
    """A request asked for a model that its stage does not let a request choose."""


class DocumentError(CallerError):
    """A file or record that cannot be loaded; ``where`` names the file and, if there is one, the line."""

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        super().__init__(f"{where}: {problem}")


class ForbiddenError(CallerError):
    """The caller is known but may not do this, such as speaking for another user."""


class TransientError(ClewError):
    """The same call may succeed later; the workflow retries on the names of these classes."""


class GraphUnavailableError(TransientError):
    """The graph does not answer, or ended a transaction that may be tried again."""


class ModelThrottledError(TransientError):
    """The model refuses for now because too much is asked of it."""


class ModelUnavailableError(TransientError):
    """The model cannot be reached or took too long."""


class ThrottledError(TransientError):
    """An AWS service other than the model refuses for now because too much is asked of it."""


class StoreUnavailableError(TransientError):
    """The table cannot be reached, or failed on its side; a write may or may not have happened."""


class InternalError(ClewError):
    """Something that only the operator can mend."""


class ConfigurationError(InternalError):
    """A setting is missing or does not fit; the message names the setting."""


class TurnTimeoutError(InternalError):
    """The time for one answer has passed; ``seconds`` is how long it may take in all."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"The answer was not done within {seconds:.0f} seconds. Ask again, or ask for less.")


class WorkflowError(InternalError):
    """The retrieval workflow failed; ``error`` is the name it gave."""

    def __init__(self, message: str, error: str = "") -> None:
        super().__init__(message)
        self.error = error


class RetrievalFailedError(InternalError):
    """Every worker of the plan failed; ``errors`` maps a worker's name to its error type."""

    def __init__(self, errors: dict[str, str]) -> None:
        self.errors = errors
        listed = ", ".join(f"{worker or 'worker'} ({error[:MOST_ECHOED]})" for worker, error in errors.items())
        super().__init__(f"The knowledge graph could not be searched: {listed}. Try again later.")


class GraphError(InternalError):
    """The graph refused a query that we wrote."""


class StoreError(InternalError):
    """The table refused a request that we wrote, or holds an item that cannot be read."""


class ModelError(InternalError):
    """The model refused the request or broke off; ``started`` tells whether tokens had been sent."""

    def __init__(self, message: str, started: bool = False) -> None:
        super().__init__(message)
        self.started = started
