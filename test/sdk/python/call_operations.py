"""Calls every operation besides conversations with OpenAI's package: one line of JSON a call on stdout, with what the package made of its answer.

A line has the `name` of the call and its `result`, or the `error` that was raised.
"""

import hashlib
import json
import os

import openai

BASE = os.environ["TURNPIKE_BASE"]
KEY = os.environ["TURNPIKE_TEST_KEY"]
client = openai.OpenAI(base_url=f"{BASE}/api/v1", api_key=KEY, max_retries=0)
# A recording, for all that the provider knows.
FILE = bytes(range(256)) * 200
PNG = bytes.fromhex(os.environ["PNG_HEX"])


def call(name):
    def run(function):
        try:
            line = {"name": name, "result": function()}
        except Exception as error:  # noqa: BLE001: whatever a package raises is what the test looks at.
            line = {"name": name, "error": type(error).__name__, "message": str(error)}
        print(json.dumps(line), flush=True)

    return run


@call("completions")
def _():
    answer = client.completions.create(model="strict/writer", prompt=["a", "b"], max_tokens=16)
    return {"texts": [choice.text for choice in answer.choices], "total": answer.usage.total_tokens, "model": answer.model}


@call("completions, streamed")
def _():
    options = {"stream": True, "stream_options": {"include_usage": True}}
    chunks = list(client.completions.create(model="strict/writer", prompt="a", max_tokens=16, **options))
    text = "".join(choice.text for chunk in chunks for choice in chunk.choices)
    return {"texts": [text], "total": chunks[-1].usage.total_tokens, "model": chunks[0].model}


@call("embeddings")
def _():
    # The package asks for base64 unless the format is given, and unpacks it.
    answer = client.embeddings.create(model="strict/vectors", input=["a", "b"])
    return {"vectors": [item.embedding for item in answer.data], "total": answer.usage.total_tokens}


@call("moderations")
def _():
    answer = client.moderations.create(model="strict/judge", input=["peace", "violence"])
    return {"flags": [result.flagged for result in answer.results]}


@call("images")
def _():
    answer = client.images.generate(model="strict/painter", prompt="a gate", n=2, size="1024x1024")
    return {"images": [item.b64_json for item in answer.data], "total": answer.usage.total_tokens}


@call("images, streamed")
def _():
    events = list(client.images.generate(model="strict/painter", prompt="a gate", stream=True, partial_images=1))
    return {"types": [event.type for event in events], "total": events[-1].usage.total_tokens}


@call("image edits")
def _():
    files = [("a.png", PNG, "image/png"), ("b.png", PNG, "image/png")]
    answer = client.images.edit(model="strict/painter", prompt="a gate", image=files, size="1024x1024")
    return {"images": [item.b64_json for item in answer.data], "total": answer.usage.total_tokens}


@call("speech")
def _():
    asked = {"model": "strict/voice", "input": "Hello", "voice": "alloy"}
    with client.audio.speech.with_streaming_response.create(**asked) as response:
        sound = b"".join(response.iter_bytes())
    return {"sha256": hashlib.sha256(sound).hexdigest()}


@call("transcriptions")
def _():
    answer = client.audio.transcriptions.create(model="strict/listener", file=("a.mp3", FILE))
    return {"text": answer.text, "seconds": answer.usage.seconds}


@call("transcriptions, streamed")
def _():
    events = list(client.audio.transcriptions.create(model="strict/listener", file=("a.mp3", FILE), stream=True))
    return {"text": events[-1].text, "pieces": "".join(event.delta for event in events[:-1])}


@call("transcriptions, as subtitles")
def _():
    text = client.audio.transcriptions.create(model="strict/listener", file=("a.mp3", FILE), response_format="srt")
    return {"text": text.splitlines()[2]}


@call("translations")
def _():
    return {"text": client.audio.translations.create(model="strict/listener", file=("a.mp3", FILE)).text}


@call("a model that is not for it")
def _():
    return client.embeddings.create(model="strict/writer", input="a").data
