"""The package `openai`, through files and batches: the provider checks what the gateway sends it for each line."""

import json
import time

import openai
from check import BASE, KEY, MODEL, check, expect

client = openai.OpenAI(base_url=f"{BASE}/api/v1", api_key=KEY, max_retries=0)
# More than one page of a list, and more lines than run at once.
LINES = 12
WAIT_S = 120
POLL_S = 0.2


def line(custom_id, body, url="/v1/chat/completions"):
    return {"custom_id": custom_id, "method": "POST", "url": url, "body": {"model": MODEL, **body}}


def upload(lines):
    content = "\n".join(json.dumps(each, ensure_ascii=False) for each in lines).encode()
    return client.files.create(file=("lines.jsonl", content), purpose="batch"), content


def finish(batch):
    deadline = time.monotonic() + WAIT_S
    while batch.status not in ("completed", "failed", "expired", "cancelled"):
        expect(time.monotonic() < deadline, f"{batch.status} after {WAIT_S} s")
        time.sleep(POLL_S)
        batch = client.batches.retrieve(batch.id)
    return batch


def results(file_id):
    lines = [json.loads(each) for each in client.files.content(file_id).text.splitlines()]
    return {each["custom_id"]: each for each in lines}


@check("a file that is uploaded, listed, read and deleted")
def _():
    file, content = upload([line("a", {"messages": [{"role": "user", "content": "say é \U0001f600"}]})])
    expect(file.purpose == "batch" and file.bytes == len(content), file)
    expect(client.files.retrieve(file.id).filename == "lines.jsonl", "its name")
    expect(client.files.content(file.id).read() == content, "its bytes")
    expect(file.id in [each.id for each in client.files.list(limit=2)], "the list, page by page")
    expect(client.files.delete(file.id).deleted, "it is deleted")
    try:
        client.files.retrieve(file.id)
        expect(False, "a deleted file is an error")
    except openai.NotFoundError:
        pass


@check("a batch of conversations, with one that is refused")
def _():
    asked = [line(f"n-{at}", {"messages": [{"role": "user", "content": f"say line {at}"}]}) for at in range(LINES)]
    faulty = line("faulty", {"messages": [{"role": "user", "content": "status 400"}]})
    file, _ = upload([*asked, faulty])
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={"why": "proof"}
    )
    expect(batch.metadata == {"why": "proof"}, batch)
    batch = finish(batch)
    expect(batch.status == "completed", batch)
    counts = batch.request_counts
    expect((counts.total, counts.completed, counts.failed) == (LINES + 1, LINES, 1), counts)
    good = results(batch.output_file_id)
    expect(len(good) == LINES, good.keys())
    for at in range(LINES):
        answer = openai.types.chat.ChatCompletion.model_validate(good[f"n-{at}"]["response"]["body"])
        expect(answer.choices[0].message.content == f"line {at}", answer)
        expect(answer.usage.prompt_tokens == 100, answer.usage)
    bad = results(batch.error_file_id)
    expect(list(bad) == ["faulty"], bad.keys())
    expect(bad["faulty"]["response"]["status_code"] == 400, bad)


@check("a batch of responses")
def _():
    file, _ = upload([line("r", {"input": "say hello there", "store": False}, "/v1/responses")])
    batch = finish(
        client.batches.create(input_file_id=file.id, endpoint="/v1/responses", completion_window="24h")
    )
    expect(batch.status == "completed" and batch.request_counts.completed == 1, batch)
    body = results(batch.output_file_id)["r"]["response"]["body"]
    text = openai.types.responses.Response.model_validate(body).output_text
    expect(text == "hello there", text)


@check("a batch whose file is wrong, with the line")
def _():
    file, _ = upload([line("twice", {"messages": []}), line("twice", {"messages": []})])
    batch = finish(
        client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
    )
    expect(batch.status == "failed" and batch.errors.data[0].line == 2, batch)


@check("batches listed page by page, and one that is cancelled")
def _():
    listed = [each.id for each in client.batches.list(limit=2)]
    expect(len(listed) >= 3 and len(set(listed)) == len(listed), listed)
    slow = {"messages": [{"role": "user", "content": "say late"}]}
    file, _ = upload([line(f"s-{at}", slow) for at in range(LINES)])
    batch = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
    try:
        client.batches.cancel(batch.id)
    except openai.ConflictError:
        # All lines had ended.
        pass
    batch = finish(batch)
    expect(batch.status in ("cancelled", "completed"), batch)
    expect(batch.request_counts.completed == len(results(batch.output_file_id) if batch.output_file_id else {}), batch)
