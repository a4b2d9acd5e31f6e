"""The pictures of a message: checked before anything else happens to it."""

import base64
import binascii
import io
from collections.abc import Sequence
from typing import Final

from clew.answering.chat_model import ChatModel
from clew.answering.prompting.prompt import Image, ImageType
from clew.edge.requests import ImageInput
from clew.errors import ImageError

IMAGE_BYTES: Final = 3_750_000
LONGEST_SIDE: Final = 8_000
"""Pixels. Both are what Converse takes (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html)."""

ALL_BYTES: Final = 4_000_000
"""Of a message's pictures: in Base64 5.3 MB of the 6 MB that a Lambda's request may have, so that there is room
for the longest message and for what API Gateway adds. (API Gateway itself takes 10 MB.)"""

HEADER_BYTES: Final = 1_000_000
"""How far into a picture its size is looked for; a camera's notes and colours may stand before it."""

SIGNATURES: Final[dict[ImageType, tuple[tuple[int, bytes], ...]]] = {
    "image/png": ((0, b"\x89PNG\r\n\x1a\n"),),
    "image/jpeg": ((0, b"\xff\xd8\xff"),),
    "image/webp": ((0, b"RIFF"), (8, b"WEBP")),
}
"""What the bytes of each type have at which place."""


def parse_images(given: Sequence[ImageInput]) -> tuple[Image, ...]:
    """The pictures' bytes, or ImageError, which names the first that is not taken by its place in ``images``."""
    images = tuple(_image(f"images.{place}", each) for place, each in enumerate(given))
    size = sum(len(image.data) for image in images)
    if size > ALL_BYTES:
        raise ImageError(f"The pictures have {size:,} bytes together; at most {ALL_BYTES:,} are taken. Send fewer.")
    return images


def check_images(model: ChatModel, images: Sequence[Image]) -> None:
    """ImageError where there are pictures and ``model`` reads none."""
    if images and not model.reads_images:
        raise ImageError(f"The chat model {model.name!r} reads no pictures. Send the message without them.")


def _image(name: str, given: ImageInput) -> Image:
    # Before they are decoded, by the length that they will have, give or take the padding.
    if len(given.data) // 4 * 3 - 2 > IMAGE_BYTES:
        raise ImageError(f"{name}: a picture may have {IMAGE_BYTES:,} bytes. Send it smaller.")
    try:
        data = base64.b64decode(given.data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ImageError(f"{name}: the data is not Base64. Send it without line breaks and without 'data:'.") from error
    if not all(data.startswith(part, place) for place, part in SIGNATURES[given.media_type]):
        raise ImageError(f"{name}: the bytes are not of the type {given.media_type}.")
    width, height = _size(data)
    if min(width, height) < 1:
        raise ImageError(f"{name}: the picture cannot be read.")
    if max(width, height) > LONGEST_SIDE:
        raise ImageError(
            f"{name}: the picture has {width:,} by {height:,} pixels; at most {LONGEST_SIDE:,} a side are taken. "
            "Send it smaller."
        )
    return Image(given.media_type, data)


def _size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels; -1 where the bytes do not tell."""
    import imagesize

    width, height = imagesize.get(io.BytesIO(data[:HEADER_BYTES]), exif_rotation=False)
    return int(width), int(height)
