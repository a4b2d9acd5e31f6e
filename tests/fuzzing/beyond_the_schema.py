"""Requests that no schema tells of: what is wrong with their bytes, headers, path or method."""

import base64
import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote

from hypothesis import strategies as st

from tests.fuzzing.generation import drawn
from tests.fuzzing.names import SESSIONS, Names
from tests.fuzzing.request import JSON, ROOT, Headers, Request

Trouble = Callable[[st.DrawFn, Names], Request]

WITH_BODY: Final = ("/chat", "/chat/stream", "/chat/cancel", "/route", "/clear", "/feedback")
LISTS: Final = ("/conversations", "/conversations/s0/messages")
ALL: Final = (*WITH_BODY, *LISTS, "/knowledge-bases", "/health", "/openapi.json")
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND")
MEGABYTE: Final = 2**20
# What a header may hold beside the letters that it should: RFC 9110, 5.5.
_HEADER_BYTES: Final = st.lists(st.sampled_from([*range(0x21, 0x7F), *range(0x80, 0x100)]), max_size=60).map(bytes)


def requests_beyond_the_schema(names: Names, each: int, seed: int) -> list[Request]:
    """``each`` requests for every kind of trouble."""
    return [found for trouble in TROUBLES for found in drawn(_made(trouble, names), each, seed)]


def _made(trouble: Trouble, names: Names) -> st.SearchStrategy[Request]:
    @st.composite
    def make(draw: st.DrawFn) -> Request:
        return trouble(draw, names)

    return make()


def _request(
    trouble: Trouble, path: str, body: bytes = b"", headers: Headers = JSON, method: str = "POST", query: bytes = b""
) -> Request:
    what = trouble.__name__.replace("_", " ")
    target = f"{ROOT}{path}".encode() + (b"?" + query if query else b"")
    return Request("beyond the schema", method, target, headers, body, what)


def _path(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(WITH_BODY))


def _fields(draw: st.DrawFn, names: Names, **changes: Any) -> dict[str, Any]:
    """Fields that fit each of the routes that take a body; what one does not know it leaves aside."""
    number = draw(st.integers(0, 10**6))
    return {
        "user_id": draw(names.user()),
        "session_id": draw(st.sampled_from(SESSIONS[:4])),
        "message": f"{draw(st.sampled_from(['Hello', '你好', 'Thanks, that is all.']))} {number}",
        "message_id": f"m{number}",
        "is_positive": True,
        "kb_prefix": "general",
    } | changes


def _text(draw: st.DrawFn, names: Names, **changes: Any) -> bytes:
    return json.dumps(_fields(draw, names, **changes), ensure_ascii=False).encode()


def malformed_json(draw: st.DrawFn, names: Names) -> Request:
    text = _text(draw, names)
    cut = draw(st.integers(0, len(text) - 1))
    value = draw(st.sampled_from([b"NaN", b"Infinity", b"-Infinity", b"1e99999", b"0x1F", b"'x'", b"undefined", b"01"]))
    body = draw(
        st.sampled_from(
            [
                text[:cut],
                text[:cut] + bytes([draw(st.integers(0, 255))]) + text[cut:],
                text + text,
                text.replace(b'"', b"'"),
                text[:-1] + b",}",
                b"/* */" + text,
                b"\xef\xbb\xbf" + text,
                text[:-1] + b', "n": ' + value + b"}",
                b"data: " + text + b"\n\n",
                b"user_id=a&session_id=b&message=c",
                b" \n\t",
                b"\x00" * 8,
            ]
        )
    )
    return _request(malformed_json, _path(draw), body)


def another_value_than_an_object(draw: st.DrawFn, names: Names) -> Request:
    body = draw(st.sampled_from(["null", "true", "0", '""', "[]", "[{}]", '"{}"', "-0.0", "[[[]]]", '{"": {}}']))
    return _request(another_value_than_an_object, _path(draw), body.encode())


def deep_nesting(draw: st.DrawFn, names: Names) -> Request:
    levels = draw(st.sampled_from([50, 199, 200, 201, 255, 1_000, 100_000]))
    opening, closing = draw(st.sampled_from([("[", "]"), ('{"a":', "}")]))
    nested = opening * levels + ("1" if opening != "[" else "") + closing * draw(st.sampled_from([levels, 0]))
    field = draw(st.sampled_from(["metadata", "message", "unknown", "images"]))
    text = _text(draw, names)[:-1].decode() + f', "{field}": {nested}}}'
    return _request(deep_nesting, _path(draw), text.encode())


def another_content_type(draw: st.DrawFn, names: Names) -> Request:
    kinds = [
        b"text/plain",
        b"application/xml",
        b"application/x-www-form-urlencoded",
        b"multipart/form-data; boundary=x",
        b"application/json; charset=utf-16",
        b"application/octet-stream",
        b"application/problem+json",
        b"json",
        b";",
        b"\xff",
    ]
    headers = draw(st.sampled_from([(), *((("content-type", kind),) for kind in kinds)]))
    return _request(another_content_type, _path(draw), _text(draw, names), headers)


def another_encoding(draw: st.DrawFn, names: Names) -> Request:
    text = _text(draw, names, message="Qui a réalisé « Parasite » ? 谁导演了寄生虫？").decode()
    encoding = draw(st.sampled_from(["utf-16", "utf-16-le", "utf-32", "gb18030", "utf-7", "utf-8-sig"]))
    return _request(another_encoding, _path(draw), text.encode(encoding))


def packed_body(draw: st.DrawFn, names: Names) -> Request:
    text = _text(draw, names)
    body = draw(st.sampled_from([gzip.compress(text, mtime=0), text, base64.b64encode(text)]))
    headers = (*JSON, ("content-encoding", draw(st.sampled_from([b"gzip", b"br", b"deflate", b"base64", b"x"]))))
    return _request(packed_body, _path(draw), body, headers)


def body_in_pieces(draw: st.DrawFn, names: Names) -> Request:
    return replace(_request(body_in_pieces, _path(draw), _text(draw, names)), in_pieces=True)


def bytes_that_are_no_text(draw: st.DrawFn, names: Names) -> Request:
    junk = draw(st.binary(min_size=1, max_size=12))
    field = draw(st.sampled_from([b"Hello", b"fuzz-", b"general"]))
    text = _text(draw, names, message="Hello").replace(field, field + junk, 1)
    return _request(bytes_that_are_no_text, _path(draw), text)


def unusual_characters(draw: st.DrawFn, names: Names) -> Request:
    """NUL, halves of surrogate pairs, controls, marks without a letter, right to left: written as JSON may."""
    marks = [
        "\\u0000",
        "\\ud800",
        "\\udfff\\ud800",
        "\\ud83d\\ude00",
        "\\u202e",
        "\\u0301",
        "\\ufeff",
        "\\uffff",
        "\\u2028",
    ]
    written = "".join(draw(st.lists(st.sampled_from([*marks, "a", "字"]), min_size=1, max_size=8)))
    field = draw(
        st.sampled_from(["message", "session_id", "user_id", "message_id", "kb_prefix", "agent_type", "query"])
    )
    fields = _fields(draw, names)
    written = str(fields.pop(field, "")) + written
    text = json.dumps(fields)[:-1] + f', "{field}": "{written}"}}'
    return _request(unusual_characters, _path(draw), text.encode())


def keys_given_twice(draw: st.DrawFn, names: Names) -> Request:
    first, second = _text(draw, names), _text(draw, names)
    return _request(keys_given_twice, _path(draw), first[:-1] + b", " + second[1:])


def numbers_beyond_reason(draw: st.DrawFn, names: Names) -> Request:
    number = draw(st.sampled_from(["1e400", "-1e400", "9" * 4_000, "9" * 5_000, "1e-400", "0." + "1" * 4_000, "-0"]))
    field = draw(st.sampled_from(["message", "is_positive", "debug", "metadata", "unknown"]))
    value = f'{{"n": {number}}}' if field == "metadata" else number
    text = _text(draw, names)[:-1].decode() + f', "{field}": {value}}}'
    return _request(numbers_beyond_reason, _path(draw), text.encode())


def long_texts(draw: st.DrawFn, names: Names) -> Request:
    """At and beyond the limits of each field."""
    field = draw(st.sampled_from(["message", "message", "session_id", "user_id", "message_id", "kb_prefix", "model"]))
    length = draw(st.sampled_from([128, 129, 2_049, 32_001, 120_000]))
    fields = _fields(draw, names)
    beginning = fields.get(field, "")
    fields[field] = beginning + draw(st.sampled_from(["x", "字", " ", "𝕏"])) * (length - len(beginning))
    return _request(long_texts, _path(draw), json.dumps(fields).encode())


def huge_bodies(draw: st.DrawFn, names: Names) -> Request:
    size = draw(st.sampled_from([MEGABYTE, 6 * MEGABYTE, 10 * MEGABYTE, 10 * MEGABYTE + 1, 12 * MEGABYTE]))
    text = _text(draw, names)
    filling = draw(st.sampled_from([b" ", b"x", b"["]))
    body = text[:-1] + b', "unknown": "' + b"x" * (size - len(text) - 16) + b'"}' if filling == b"x" else filling * size
    return _request(huge_bodies, _path(draw), body)


def no_pictures(draw: st.DrawFn, names: Names) -> Request:
    kind = draw(st.sampled_from(["image/png", "image/jpeg", "image/webp", "image/gif", "text/html", ""]))
    beginnings = (
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\xff\xd8\xff\xe0",
        b"\xff\xd8\xff\xc0",
    )
    webp = (
        b"RIFF\x10\x00\x00\x00WEBP",
        b"RIFF\xff\xff\xff\xffWEBPVP8 ",
        b"RIFF\x10\x00\x00\x00WEBPVP8L",
        b"RIFF----WEBPVP8X",
    )
    data = draw(st.sampled_from([*beginnings, *webp])) + draw(st.binary(max_size=64))
    encoded = draw(
        st.sampled_from([base64.b64encode(data).decode(), "data:image/png;base64,AAAA", "====", "字", "A", ""])
    )
    images = [{"media_type": kind, "data": encoded}] * draw(st.sampled_from([1, 1, 1, 2, 6, 200]))
    path = draw(st.sampled_from(WITH_BODY[:2]))
    return _request(no_pictures, path, _text(draw, names, images=images))


def header_junk(draw: st.DrawFn, names: Names) -> Request:
    junk = draw(st.one_of(_HEADER_BYTES, st.sampled_from([b"", b"x" * 7_000, b"\xe7\xa7\x9f", b"{}", b"null", b"a b"])))
    name = draw(
        st.sampled_from(
            [
                *("x-tenant-id", "authorization", "accept", "accept-encoding", "cookie", "origin", "x-forwarded-for"),
                *(
                    "x-amzn-request-context",
                    "x-amzn-lambda-context",
                    "x-amzn-trace-id",
                    "if-match",
                    "range",
                    "forwarded",
                ),
            ]
        )
    )
    headers: Headers = (*JSON, (name, junk), *draw(st.sampled_from([(), ((name, b"again"),)])))
    return _request(header_junk, _path(draw), _text(draw, names), headers)


def ids_of_events_that_never_were(draw: st.DrawFn, names: Names) -> Request:
    forms = [
        b"0-aaaaaa-0-0",
        b"0-ffffff-9999999-9999999",
        b"abcdefabcdef-012345-3-17",
        b"0-aaaaaa--1-0",
        b"-1",
        b"\xb2-\xb3",
    ]
    id = draw(st.one_of(_HEADER_BYTES, st.sampled_from([*forms, b"", b"9" * 5_000])))
    text = _text(draw, names)
    return _request(ids_of_events_that_never_were, "/chat/stream", text, (*JSON, ("last-event-id", id)))


def unusual_paths(draw: st.DrawFn, names: Names) -> Request:
    segment = draw(
        st.one_of(
            st.sampled_from(
                [
                    *("%00", "%2F", "..", "%2e%2e", "a%2Fb", "%zz", "%", "%25%32%46", "a;b", "%E5%AD%97", "%FF", "a b"),
                    *("x" * 129, "x" * 6_000, "%20", "+", "{session_id}", "a#b", "*", "a%0d%0ab"),
                ]
            ),
            st.text(alphabet=st.characters(min_codepoint=0x21, max_codepoint=0x24F, categories=["L", "N", "P", "S"])),
        )
    )
    path = draw(
        st.sampled_from(["/conversations/{}/messages", "/conversations/{}", "/{}", "/chat/{}", "/{}/health", "//{}"])
    )
    sent = path.format(quote(segment, safe="%;+{}*/"))
    query = b"user_id=" + draw(names.user()).encode()
    return _request(unusual_paths, sent, headers=(), method="GET", query=query)


def unusual_queries(draw: st.DrawFn, names: Names) -> Request:
    user = b"user_id=" + draw(names.user()).encode()
    part = draw(
        st.sampled_from(
            [
                *(b"limit=1&limit=2", b"limit=", b"limit", b"limit=1e2", b"limit=%31", b"limit=%D9%A1", b"limit=+1"),
                *(b"limit=" + b"9" * 5_000, b"limit[]=1", b"before=%00", b"before=%zz", b"after=" + b"x" * 4_000),
                *(b"user_id=%ff", b"user_id=a&user_id=b", b"&&&=&", b"=", b"before=&after=", b"before=a&after=b", b";"),
            ]
        )
    )
    return _request(unusual_queries, draw(st.sampled_from(LISTS)), headers=(), method="GET", query=user + b"&" + part)


def another_method(draw: st.DrawFn, names: Names) -> Request:
    method = draw(st.sampled_from(METHODS))
    body = draw(st.sampled_from([b"", _text(draw, names)]))
    path = draw(st.sampled_from(ALL))
    query = b"user_id=" + draw(names.user()).encode() if path in LISTS else b""
    return _request(another_method, path, body, method=method, query=query)


TROUBLES: Final[tuple[Trouble, ...]] = (
    malformed_json,
    another_value_than_an_object,
    deep_nesting,
    another_content_type,
    another_encoding,
    packed_body,
    body_in_pieces,
    bytes_that_are_no_text,
    unusual_characters,
    keys_given_twice,
    numbers_beyond_reason,
    long_texts,
    huge_bodies,
    no_pictures,
    header_junk,
    ids_of_events_that_never_were,
    unusual_paths,
    unusual_queries,
    another_method,
)
