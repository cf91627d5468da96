/**
 * Goal: OpenAI's and Anthropic's Python packages assemble our streams, and what they send back is understood. Method: the packages
 * themselves, in the virtual environment that `npm test` makes; a gateway; strict providers that sign each thought and refuse an open loop
 * of tools that does not begin with its own.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { errorCode } from '../support/open-gateway.ts';
import { isSigned } from '../support/strict-commands.ts';
import { type JsonObject, listOf } from '../support/strict-server.ts';
import { CLAUDE_BUDGET, GPT, openTranslateBench, ROUTED, type TranslateBench } from '../support/translate-bench.ts';

interface Job {
  readonly package: 'openai' | 'anthropic';
  readonly model: string;
  readonly prompt: string;
  readonly dump?: boolean;
  readonly usage?: boolean;
}

interface Result {
  readonly messages: readonly JsonObject[];
  readonly total_tokens: number | null;
  /** The name of the exception, and its text. */
  readonly error?: string;
  readonly message?: string;
  readonly body?: JsonObject;
}

interface Python {
  findPython(): { readonly python: string | null; readonly problem: string | null };
}

const setup = join(import.meta.dirname, '..', '..', 'scripts', 'python.mjs');
const { python, problem } = ((await import(pathToFileURL(setup).href)) as Python).findPython();

describe('the Python packages', { skip: problem ?? false }, () => {
  let bench: TranslateBench;
  let program: ChildProcess;
  let lines: AsyncIterator<string>;
  let reader: Interface;
  before(async () => {
    bench = await openTranslateBench();
    program = spawn(python ?? '', [join(import.meta.dirname, 'python', 'answer_jobs.py')], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], TURNPIKE_BASE: bench.url, TURNPIKE_TEST_KEY: bench.key },
    });
    assert.ok(program.stdout !== null);
    reader = createInterface({ input: program.stdout });
    lines = reader[Symbol.asyncIterator]();
  });
  after(async () => {
    program.stdin?.end();
    if (program.exitCode === null) await once(program, 'exit');
    reader.close();
    await bench.close();
  });

  async function run(job: Job): Promise<Result> {
    program.stdin?.write(`${JSON.stringify({ dump: false, ...job })}\n`);
    const { value, done } = await lines.next();
    assert.ok(done !== true, 'the program is running');
    return JSON.parse(value) as Result;
  }

  for (const dump of [false, true]) {
    for (const usage of [false, true]) {
      const how = `${dump ? 'given back as dictionaries' : 'given back as they are'}${usage ? ', with usage' : ''}`;
      test(`an OpenAI stream keeps thoughts through a loop of tools, ${how}`, async () => {
        const job = {
          package: 'openai',
          model: CLAUDE_BUDGET,
          prompt: 'think twice then loop 2 look',
          dump,
          usage,
        } as const;
        const { messages, total_tokens, message } = await run(job);
        assert.equal(message, undefined);
        const said = messages.filter((it) => it['role'] !== 'user' && it['role'] !== 'tool');
        assert.deepEqual(
          said.map((it) => it['role']),
          ['assistant', 'assistant', 'assistant'],
        );
        assert.equal(said.at(-1)?.['content'], 'results: got 1 | got 2');
        assert.ok(Number(total_tokens) > 100);
        const back = listOf(bench.strictAnthropic.last().body['messages']).filter(
          (turn) => turn['role'] === 'assistant',
        );
        assert.equal(back.length, 2);
        back.forEach((turn, round) => {
          const [shown, hidden, call, ...others] = listOf(turn['content']);
          assert.equal(shown?.['thinking'], `Round ${round} of loop 2 look.`);
          assert.ok(isSigned(String(shown['thinking']), shown['signature']));
          assert.deepEqual([hidden?.['type'], call?.['type'], others], ['redacted_thinking', 'tool_use', []]);
        });
      });
    }
  }

  for (const model of [GPT, ROUTED]) {
    test(`an OpenAI stream of ${model}, which is relayed, has its role once`, async () => {
      const { messages, total_tokens } = await run({ package: 'openai', model, prompt: 'say hi' });
      assert.deepEqual([messages[1]?.['role'], messages[1]?.['content']], ['assistant', 'hi']);
      assert.ok(Number(total_tokens) > 100, 'the usage came unasked, in a chunk with a choice');
    });
  }

  test('an OpenAI stream keeps all citations', async () => {
    const { messages, message } = await run({ package: 'openai', model: CLAUDE_BUDGET, prompt: 'cite 3 well known' });
    assert.equal(message, undefined);
    const pages = listOf(messages[1]?.['annotations']).map((note) => (note['url_citation'] as JsonObject)['url']);
    assert.deepEqual(
      pages,
      [1, 2, 3].map((page) => `https://pages.example/${page}`),
    );
  });

  for (const [model, prompt, code, type] of [
    [CLAUDE_BUDGET, 'fail-in-stream', 503, 'upstream_overloaded'],
    [CLAUDE_BUDGET, 'cut', 502, 'bad_gateway'],
    [GPT, 'cut', 502, 'bad_gateway'],
  ] as const) {
    test(`an OpenAI stream of ${model} that ends on "${prompt}" raises`, async () => {
      const { error, body } = await run({ package: 'openai', model, prompt });
      assert.equal(error, 'APIError');
      assert.deepEqual([body?.['code'], errorCode({ error: body })], [code, type]);
    });
  }

  for (const model of [GPT, ROUTED, CLAUDE_BUDGET]) {
    for (const dump of model === CLAUDE_BUDGET ? [false] : [false, true]) {
      const how = dump ? 'given back as dictionaries' : 'given back as they are';
      test(`an Anthropic stream of ${model} goes through a loop of tools, ${how}`, async () => {
        const { messages, message } = await run({
          package: 'anthropic',
          model,
          prompt: 'think then loop 2 look',
          dump,
        });
        assert.equal(message, undefined);
        const [thought, text] = listOf(messages.at(-1)?.['content']);
        assert.equal(thought?.['thinking'], 'Round 2 of loop 2 look.');
        assert.equal(text?.['text'], 'results: got 1 | got 2');
      });
    }
  }

  test('an Anthropic stream keeps all citations', async () => {
    const { messages, message } = await run({ package: 'anthropic', model: GPT, prompt: 'cite 3 well known' });
    assert.equal(message, undefined);
    const [text] = listOf(messages[1]?.['content']);
    assert.deepEqual(
      listOf(text?.['citations']).map(({ url }) => url),
      [1, 2, 3].map((page) => `https://pages.example/${page}`),
    );
  });

  for (const prompt of ['fail-in-stream', 'cut']) {
    test(`an Anthropic stream that ends on "${prompt}" raises`, async () => {
      const { error, body } = await run({ package: 'anthropic', model: GPT, prompt });
      assert.equal(error, 'APIStatusError');
      assert.equal(errorCode(body), 'bad_gateway');
    });
  }
});
