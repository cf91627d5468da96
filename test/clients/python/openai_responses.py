"""The package `openai`, through the Responses API."""

import openai
from check import BASE, CITY, KEY, MODEL, RESULTS, ZONE, check, expect, expect_results

client = openai.OpenAI(base_url=f"{BASE}/api/v1", api_key=KEY, max_retries=0)
TOOLS = [
    {"type": "function", "name": "get_weather", "parameters": CITY, "strict": False},
    {"type": "function", "name": "get_time", "parameters": ZONE, "strict": False},
]


def ask(streamed, **options):
    if not streamed:
        return client.responses.create(model=MODEL, **options)
    with client.responses.stream(model=MODEL, **options) as stream:
        for number, event in enumerate(stream):
            expect(getattr(event, "sequence_number", number) == number, f"the number of {event.type}")
        return stream.get_final_response()


for streamed in (False, True):
    how = "streamed" if streamed else "whole"

    @check(f"an answer, {how}")
    def _():
        response = ask(streamed, input="say hello there")
        expect(response.output_text == "hello there", response)
        expect(response.usage.input_tokens == 100, response.usage)

    @check(f"parallel tools, {how}")
    def _():
        items = [{"role": "user", "content": "call two"}]
        first = ask(streamed, input=items, tools=TOOLS)
        calls = [item for item in first.output if item.type == "function_call"]
        expect([call.name for call in calls] == ["get_weather", "get_time"], calls)
        items += [item.model_dump(exclude_none=True) for item in first.output]
        for call in calls:
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": RESULTS[call.name]})
        expect_results(ask(streamed, input=items, tools=TOOLS).output_text)

    @check(f"thoughts given back in a tool loop, {how}")
    def _():
        options = {
            "tools": TOOLS,
            "reasoning": {"effort": "medium", "summary": "auto"},
            "include": ["reasoning.encrypted_content"],
            "store": False,
        }
        items = [{"role": "user", "content": "think then loop 2 get_weather"}]
        for turn in range(1, 4):
            response = ask(streamed, input=items, **options)
            calls = [item for item in response.output if item.type == "function_call"]
            if not calls:
                break
            items += response.output
            for call in calls:
                items.append({"type": "function_call_output", "call_id": call.call_id, "output": f"got {turn}"})
        expect(response.output_text.startswith("results: "), response)


@check("a failing provider, an unknown key")
def _():
    for prompt, error in (("status 500", openai.InternalServerError), ("status 429", openai.RateLimitError)):
        try:
            client.responses.create(model=MODEL, input=prompt)
            expect(False, f"{prompt} is an error")
        except error:
            pass
    try:
        openai.OpenAI(base_url=f"{BASE}/api/v1", api_key="sk-wrong", max_retries=0).responses.create(model=MODEL, input="x")
        expect(False, "an unknown key is an error")
    except openai.AuthenticationError:
        pass
