"""What a generation cost in tokens."""

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """Tokens of one generation, as the model reported them or, with ``estimated``, as the adapter reckoned."""

    model_config = ConfigDict(frozen=True)

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
