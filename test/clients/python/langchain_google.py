"""The package `langchain-google-genai`."""

from check import BASE, CITY, KEY, MODEL, RESULTS, ZONE, check, expect, expect_results
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_google_genai import ChatGoogleGenerativeAI

chat = ChatGoogleGenerativeAI(model=MODEL, google_api_key=KEY, base_url=BASE, max_retries=0)
TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "description": "The weather.", "parameters": CITY}},
    {"type": "function", "function": {"name": "get_time", "description": "The time.", "parameters": ZONE}},
]


@check("a whole answer")
def _():
    message = chat.invoke("say hello there")
    expect(message.text == "hello there", message)
    expect(message.usage_metadata["input_tokens"] == 100, message.usage_metadata)


@check("a streamed answer")
def _():
    chunks = list(chat.stream("say one two three"))
    expect(len(chunks) > 1, chunks)
    expect("".join(str(chunk.text) for chunk in chunks) == "one two three", chunks)


@check("parallel tools")
def _():
    bound = chat.bind_tools(TOOLS)
    question = HumanMessage("call two")
    first = bound.invoke([question])
    expect([call["name"] for call in first.tool_calls] == ["get_weather", "get_time"], first.tool_calls)
    results = [
        ToolMessage(tool_call_id=call["id"], name=call["name"], content=RESULTS[call["name"]])
        for call in first.tool_calls
    ]
    expect_results(bound.invoke([question, first, *results]).text)
