"""What the programs of this folder share: where the gateway is, and one line of JSON a check on stdout.

Each program runs one package as its users do, against a model whose provider obeys `test/support/strict-commands.ts`.
"""

import json
import os
import re

BASE = os.environ["BASE"]
KEY = os.environ["KEY"]
MODEL = os.environ["MODEL"]

RESULTS = {"get_weather": "sunny", "get_time": "noon"}
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ZONE = {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]}
PROBLEM_LENGTH_MAX = 1_000


def check(name):
    """Runs the decorated function as one check; a failure does not end the program."""

    def run(function):
        try:
            function()
            report(name, None)
        except Exception as error:  # Whatever a package raises is what is reported.
            report(name, f"{type(error).__name__}: {error}"[:PROBLEM_LENGTH_MAX])

    return run


def report(name, problem):
    print(json.dumps({"name": name, "problem": problem}), flush=True)


def expect(value, what):
    if not value:
        raise AssertionError(str(what))


def expect_results(text):
    """The answer after both calls; some packages put fields around a result."""
    expect(re.match(r"results: .*(sunny.* \| .*noon|noon.* \| .*sunny)", text), text)
