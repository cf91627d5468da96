"""The package `openai-agents`: OpenAI's Agents SDK, which calls the Responses API."""

import asyncio

import openai
from agents import Agent, ModelSettings, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from check import BASE, KEY, MODEL, RESULTS, check, expect, expect_results
from openai.types.shared import Reasoning

set_tracing_disabled(True)


@function_tool
def get_weather(city: str = "Rome") -> str:
    return RESULTS["get_weather"]


@function_tool
def get_time(zone: str = "CET") -> str:
    return RESULTS["get_time"]


def agent(**options):
    client = openai.AsyncOpenAI(base_url=f"{BASE}/api/v1", api_key=KEY, max_retries=0)
    model = OpenAIResponsesModel(model=MODEL, openai_client=client)
    return Agent(name="Helper", instructions="Be of use.", model=model, tools=[get_weather, get_time], **options)


@check("a whole run")
def _():
    output = Runner.run_sync(agent(), "say hello there").final_output
    expect(output == "hello there", output)


@check("a run with parallel tools")
def _():
    expect_results(Runner.run_sync(agent(), "call two").final_output)


@check("a streamed run that thinks before each of its calls")
def _():
    settings = ModelSettings(
        reasoning=Reasoning(effort="medium", summary="auto"),
        response_include=["reasoning.encrypted_content"],
        store=False,
    )

    async def run():
        result = Runner.run_streamed(
            agent(model_settings=settings), 'think then loop 2 get_weather'
        )
        async for _event in result.stream_events():
            pass
        return result.final_output

    output = asyncio.run(run())
    expect(output.startswith("results: "), output)
