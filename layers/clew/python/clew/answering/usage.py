"""What a generation cost in tokens."""

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """Tokens of one generation, as the model reported them or, with ``estimated``, as the adapter reckoned.

    Of ``input_tokens``, ``cache_read_tokens`` came out of the provider's prompt cache and ``cache_write_tokens``
    went into it; both are 0 where there is no cache.
    """

    model_config = ConfigDict(frozen=True)

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    estimated: bool = False
