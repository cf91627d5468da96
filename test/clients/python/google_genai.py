"""The package `google-genai`."""

from check import BASE, CITY, KEY, MODEL, RESULTS, ZONE, check, expect, expect_results
from google import genai
from google.genai import errors, types

client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=BASE))
TOOLS = [
    types.Tool(
        function_declarations=[
            types.FunctionDeclaration(name="get_weather", parameters_json_schema=CITY),
            types.FunctionDeclaration(name="get_time", parameters_json_schema=ZONE),
        ]
    )
]


def send(chat, message, streamed):
    chunks = list(chat.send_message_stream(message)) if streamed else [chat.send_message(message)]
    parts = [part for chunk in chunks for part in (chunk.candidates[0].content.parts or [])]
    text = "".join(part.text for part in parts if part.text and not part.thought)
    return text, [part.function_call for part in parts if part.function_call]


def results(calls, values=RESULTS):
    return [
        types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response={"output": values[call.name]}))
        for call in calls
    ]


for streamed in (False, True):
    how = "streamed" if streamed else "whole"

    @check(f"a chat with parallel tools, {how}")
    def _():
        chat = client.chats.create(model=MODEL, config=types.GenerateContentConfig(tools=TOOLS))
        _text, calls = send(chat, "call two", streamed)
        expect([call.name for call in calls] == ["get_weather", "get_time"], calls)
        text, _calls = send(chat, results(calls), streamed)
        expect_results(text)

    @check(f"thoughts given back in a tool loop, {how}")
    def _():
        thinking = types.ThinkingConfig(include_thoughts=True)
        config = types.GenerateContentConfig(tools=TOOLS, thinking_config=thinking)
        chat = client.chats.create(model=MODEL, config=config)
        text, calls = send(chat, "think then loop 2 get_weather", streamed)
        for _turn in range(2):
            expect(len(calls) == 1, calls)
            text, calls = send(chat, results(calls), streamed)
        expect(text.startswith("results: "), text)


@check("a whole answer, with usage")
def _():
    response = client.models.generate_content(model=MODEL, contents="say hello there")
    expect(response.text == "hello there", response)
    expect(response.usage_metadata.prompt_token_count == 100, response.usage_metadata)


@check("counting tokens, and the list of models")
def _():
    expect(client.models.count_tokens(model=MODEL, contents="say hello there").total_tokens > 0, "a count")
    expect(f"models/{MODEL}" in [model.name for model in client.models.list()], "the model is listed")


@check("a failing provider, an unknown key")
def _():
    try:
        client.models.generate_content(model=MODEL, contents="status 500")
        expect(False, "status 500 is an error")
    except errors.ServerError:
        pass
    try:
        stranger = genai.Client(api_key="sk-wrong", http_options=types.HttpOptions(base_url=BASE))
        stranger.models.generate_content(model=MODEL, contents="x")
        expect(False, "an unknown key is an error")
    except errors.ClientError as error:
        expect(error.code == 401, error)
