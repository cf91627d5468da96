"""Runs conversations with OpenAI's and Anthropic's packages, one job of JSON a line on stdin, one result a line on stdout.

A job has `package`, `model`, `prompt`, and `dump`: whether messages are given back as dictionaries, as by who keeps them in a database.
Each round gives all messages back as the package's stream helper put them together, with a result for each call of a tool, until
there is no call any more. A result has the conversation, or the `error` that was raised.
"""

import json
import os
import sys

import anthropic
import openai

BASE = os.environ["TURNPIKE_BASE"]
KEY = os.environ["TURNPIKE_TEST_KEY"]
SCHEMA = {"type": "object", "properties": {"round": {"type": "number"}}}
ROUNDS_MAX = 6

openai_client = openai.OpenAI(base_url=f"{BASE}/api/v1", api_key=KEY, max_retries=0)
anthropic_client = anthropic.Anthropic(base_url=BASE, api_key=KEY, max_retries=0)


def talk_openai(job):
    tools = [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}]
    options = {"stream_options": {"include_usage": True}} if job.get("usage") else {}
    messages = [{"role": "user", "content": job["prompt"]}]
    for turn in range(1, ROUNDS_MAX):
        with openai_client.chat.completions.stream(
            model=job["model"],
            messages=messages,
            tools=tools,
            reasoning_effort="medium",
            max_completion_tokens=8000,
            **options,
        ) as stream:
            for _ in stream:
                pass
            completion = stream.get_final_completion()
        message = completion.choices[0].message
        messages.append(message.model_dump() if job["dump"] else message)
        for call in message.tool_calls or []:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": f"got {turn}"})
        if not message.tool_calls:
            break
    total = completion.usage.total_tokens if completion.usage else None
    return {"messages": [as_dictionary(message) for message in messages], "total_tokens": total}


def talk_anthropic(job):
    tools = [{"name": "look", "input_schema": SCHEMA}]
    messages = [{"role": "user", "content": job["prompt"]}]
    for turn in range(1, ROUNDS_MAX):
        with anthropic_client.messages.stream(
            model=job["model"],
            max_tokens=8000,
            messages=messages,
            tools=tools,
            thinking={"type": "enabled", "budget_tokens": 1024},
        ) as stream:
            for _ in stream:
                pass
            message = stream.get_final_message()
        content = [block.model_dump() for block in message.content] if job["dump"] else message.content
        messages.append({"role": "assistant", "content": content})
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            break
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": f"got {turn}"} for call in calls]
        messages.append({"role": "user", "content": results})
    total = message.usage.input_tokens + message.usage.output_tokens
    return {"messages": [as_dictionary(message) for message in messages], "total_tokens": total}


def as_dictionary(value):
    if hasattr(value, "model_dump"):
        return value.model_dump()
    if isinstance(value, dict):
        return {name: as_dictionary(field) for name, field in value.items()}
    return [as_dictionary(item) for item in value] if isinstance(value, list) else value


TALKS = {"openai": talk_openai, "anthropic": talk_anthropic}

for line in sys.stdin:
    job = json.loads(line)
    try:
        result = TALKS[job["package"]](job)
    except Exception as error:  # noqa: BLE001: whatever a package raises is what the test looks at.
        result = {"error": type(error).__name__, "message": str(error), "body": getattr(error, "body", None)}
    print(json.dumps(result), flush=True)
