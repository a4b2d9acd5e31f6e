"""Pictures at the door: what is taken, and what is said of what is not."""

import base64
import io
import struct
import zlib

import PIL.Image
import pytest

from clew.answering.prompting.prompt import Image, ImageType
from clew.edge.images import ALL_BYTES, IMAGE_BYTES, check_images, parse_images
from clew.edge.requests import MESSAGE_LENGTH, ChatRequest, ImageInput, parse_body
from clew.errors import ImageError, InvalidRequestError
from tests.unit.models.scripted_chat import ScriptedChat

TYPES: tuple[ImageType, ...] = ("image/png", "image/jpeg", "image/webp")


def drawn(media_type: ImageType, width: int = 4, height: int = 3) -> bytes:
    written = io.BytesIO()
    PIL.Image.new("L", (width, height)).save(written, media_type.removeprefix("image/"))
    return written.getvalue()


def given(data: bytes, media_type: ImageType = "image/png") -> ImageInput:
    return ImageInput(media_type=media_type, data=base64.b64encode(data).decode())


def of_size(size: int) -> bytes:
    """A PNG of so many bytes, most of them a comment."""
    start, rest = drawn("image/png")[:33], drawn("image/png")[33:]
    text = b"tEXt" + bytes(size - len(start) - len(rest) - 12)
    return start + struct.pack("!I", len(text) - 4) + text + struct.pack("!I", zlib.crc32(text)) + rest


@pytest.mark.parametrize("media_type", TYPES)
def test_pictures_of_three_types_are_taken_as_they_are(media_type: ImageType) -> None:
    data = drawn(media_type)
    assert parse_images([given(data, media_type)]) == (Image(media_type, data),)


def test_no_pictures_are_none() -> None:
    assert parse_images([]) == ()


@pytest.mark.parametrize("media_type", TYPES)
def test_a_picture_of_8000_pixels_is_taken_and_one_more_is_not(media_type: ImageType) -> None:
    assert parse_images([given(drawn(media_type, 8_000, 1), media_type)])
    for width, height in ((8_001, 1), (1, 8_001)):
        with pytest.raises(ImageError, match=r"images\.0: .*8,001.*8,000 a side"):
            parse_images([given(drawn(media_type, width, height), media_type)])


def test_the_largest_picture_is_taken_and_one_byte_more_is_not() -> None:
    assert len(parse_images([given(of_size(IMAGE_BYTES))])[0].data) == IMAGE_BYTES
    with pytest.raises(ImageError, match=r"images\.0: .*3,750,000 bytes"):
        parse_images([given(of_size(IMAGE_BYTES + 3))])


def test_pictures_are_bounded_together_too() -> None:
    half = given(of_size(ALL_BYTES // 2))
    assert len(parse_images([half, half])) == 2
    with pytest.raises(ImageError, match="4,000,000"):
        parse_images([half, half, given(drawn("image/png"))])


BROKEN = {
    "another type": (given(drawn("image/jpeg"), "image/png"), "not of the type image/png"),
    "a page": (given(b"<svg width='9'/>"), "not of the type"),
    "nothing": (given(b""), "not of the type"),
    "a signature alone": (given(b"\x89PNG\r\n\x1a\n"), "cannot be read"),
    "cut off in its head": (given(drawn("image/jpeg")[:12], "image/jpeg"), "cannot be read"),
    "no pixels": (given(drawn("image/png")[:16] + bytes(8) + drawn("image/png")[24:]), "cannot be read"),
    "no Base64": (ImageInput(media_type="image/png", data="*" * 8), "not Base64"),
    "a data URI": (ImageInput(media_type="image/png", data="data:image/png;base64,iVBO"), "without 'data:'"),
    "characters of another kind": (ImageInput(media_type="image/png", data="图片"), "not Base64"),
}


@pytest.mark.parametrize(("broken", "told"), BROKEN.values(), ids=BROKEN)
def test_what_is_no_picture_is_named_by_its_place(broken: ImageInput, told: str) -> None:
    with pytest.raises(ImageError, match=told) as raised:
        parse_images([given(drawn("image/png")), broken])
    assert str(raised.value).startswith("images.1: ")
    assert "\n" not in str(raised.value)


def test_a_size_is_not_looked_for_without_end() -> None:
    comments = b"\xff\xd8" + b"\xff\xfe\x00\x02" * 900_000 + drawn("image/jpeg")[2:]
    with pytest.raises(ImageError, match="cannot be read"):
        parse_images([given(comments, "image/jpeg")])


def test_a_model_that_reads_no_pictures_is_given_none() -> None:
    model = ScriptedChat("extractive")
    check_images(model, ())
    with pytest.raises(ImageError, match="'extractive' reads no pictures"):
        check_images(model, (Image("image/png", b""),))
    model.reads_images = True
    check_images(model, (Image("image/png", b""),))


def test_a_request_may_have_five_pictures_of_known_types_and_a_model() -> None:
    body = '{"session_id": "s", "message": "m", "images": [%s]}'
    one = '{"media_type": "%s", "data": "iVBO"}'
    taken = parse_body(ChatRequest, body % ", ".join([one % "image/png"] * 5))
    assert (len(taken.images), taken.model) == (5, "")
    for images, field in ((", ".join([one % "image/png"] * 6), "images"), (one % "image/gif", "images.0.media_type")):
        with pytest.raises(InvalidRequestError) as raised:
            parse_body(ChatRequest, body % images)
        assert list(raised.value.fields) == [field]


def test_the_largest_request_fits_into_a_call_of_a_function() -> None:
    # Every character of a message may arrive as an escape of six, which is escaped once more in the event.
    message = MESSAGE_LENGTH * len(r"\\u8c01")
    of_the_gateway = 64 * 1024
    assert ALL_BYTES * 4 // 3 + message + of_the_gateway < 6 * 1024 * 1024
