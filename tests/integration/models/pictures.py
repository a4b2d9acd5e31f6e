"""Pictures as files have them."""

import io

import PIL.Image

from clew.answering.prompting.prompt import Image, ImageType


def picture(media_type: ImageType, width: int = 3, height: int = 2) -> Image:
    written = io.BytesIO()
    PIL.Image.new("RGB", (width, height)).save(written, media_type.removeprefix("image/"))
    return Image(media_type, written.getvalue())
