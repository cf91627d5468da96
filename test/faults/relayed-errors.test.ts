/**
 * Goal: every client sees a provider's error in a relayed chat stream, and its bytes stay the provider's. Some clients look for it
 * only in an event of its own: the provider's own passes if it sends one after a chunk with choices, otherwise one is added.
 * Method: everything that can follow such a chunk, cut at every byte; the edit undone and compared.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { chatBody, OPEN_MODEL, type OpenBench, openBenchWith, PATHS } from '../support/open-gateway.ts';
import { type Script, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, openaiFrames, stream, streamInPieces } from '../support/upstream-scripts.ts';

const data = (json: object | string) => `data: ${typeof json === 'string' ? json : JSON.stringify(json)}\n\n`;
const error = '{ "code" : 503,"message":"The \\u0068arbour is closed." }';
const alone = data(`{"error":${error}}`);
const said = data({ error: { message: 'It closes at noon.', code: 503 } });
const head = `"id":"c","object":"chat.completion.chunk","created":1,"model":"${OPEN_MODEL}"`;
const choices = '"choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]';
const usage = '"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}';
const chunk = data(`{${head},"error":${error},${choices}}`);
const words = openaiFrames(['Hi']).slice(0, 2);
const DONE = data('[DONE]');
const tail = data(`{${head},"choices":[],${usage}}`);

let bench: OpenBench;
const clock = new ManualClock(Date.UTC(2026, 11, 1));
before(async () => {
  bench = await openBenchWith(await startScriptedUpstream(answerWell), {}, { clock });
});
after(() => bench.close());

async function given(script: Script): Promise<string> {
  bench.upstream.play(script);
  const settled = bench.nextRecord();
  const response = await bench.post(PATHS['openai-chat'], chatBody(true));
  const text = await response.text();
  const { ending, charge } = await settled;
  assert.deepEqual([response.status, ending, charge], [200, 'upstream_failed', 0n]);
  return text;
}

/** What the provider sent of the answer, without the unrequested null usage. */
const begun = words.join('').replaceAll(',"usage":null', '').replaceAll('scripted-1', OPEN_MODEL);

interface Row {
  readonly name: string;
  readonly frames: readonly string[];
  /** What comes after the answer's beginning. */
  readonly gives: string;
}

const ROWS: readonly Row[] = [
  { name: 'nothing after it', frames: [chunk], gives: chunk + alone },
  { name: '[DONE] after it', frames: [chunk, DONE], gives: chunk + alone },
  { name: 'usage and [DONE] after it', frames: [chunk, tail, DONE], gives: chunk + alone },
  { name: 'the error alone after it', frames: [chunk, alone], gives: chunk + alone },
  { name: 'a different error after it', frames: [chunk, said], gives: chunk + said },
  { name: 'that and [DONE] after it', frames: [chunk, said, DONE], gives: chunk + said },
  { name: 'that without its blank line', frames: [chunk, said.trimEnd()], gives: chunk + said },
  { name: 'that after a ping and usage', frames: [chunk, ': ping\n\n', tail, said, DONE], gives: chunk + said },
  { name: 'that after [DONE]', frames: [chunk, DONE, said], gives: chunk + alone },
  { name: 'that twice', frames: [chunk, said, said], gives: chunk + said },
  { name: 'the rest of an answer after it', frames: [chunk, ...words, DONE], gives: chunk + alone },
  { name: 'an event that is not JSON after it', frames: [chunk, data('<html>'), DONE], gives: chunk + alone },
  {
    name: 'an error of the operator’s after it',
    frames: [chunk, data({ error: { message: 'Top up the credits of org-Ab12Cd34Ef56' } })],
    gives: chunk + alone,
  },
  {
    name: 'what repeats the credential after it',
    frames: [chunk, data({ error: { message: 'canary-credential-of-scripted' } })],
    gives: chunk + alone,
  },
  {
    name: 'more than the gateway waits for after it',
    frames: [chunk, `: ${'x'.repeat(70_000)}\n\n`, said],
    gives: chunk + alone,
  },
  {
    name: 'an endless event after it, more than the gateway waits for',
    frames: [chunk, `data: ${'x'.repeat(70_000)}`],
    gives: chunk + alone,
  },
  { name: 'no choices in it', frames: [said, DONE, said], gives: said },
  {
    name: 'an empty list of choices in it',
    frames: [data(`{"error":${error},"choices":[]}`), DONE],
    gives: data(`{"error":${error},"choices":[]}`) + alone,
  },
  {
    name: 'an error in no known field',
    frames: [data('{"object":"error","message":"no","code":500}')],
    gives:
      data('{"object":"error","message":"no","code":500}') +
      data('{"error":{"object":"error","message":"no","code":500}}'),
  },
  {
    name: 'an error in several lines',
    frames: ['data: {"error":\ndata: {"message":"no"},\ndata: "choices":[]}\n\n'],
    gives: `data: {"error":\ndata: {"message":"no"},\ndata: "choices":[]}\n\n${data('{"error":{"message":"no"}}')}`,
  },
];

for (const { name, frames, gives } of ROWS)
  describe(`an error chunk with ${name}`, () => {
    test('is reported once in either form', async () => {
      assert.equal(await given(stream([...words, ...frames])), begun + gives);
      assert.equal(await given(stream([[...words, ...frames].join('')])), begun + gives, 'in one piece');
    });

    test('is reported alike in small pieces', async () => {
      for (const length of name.startsWith('more') ? [4096] : [1, 7])
        assert.equal(
          await given(streamInPieces([...words, ...frames], length)),
          begun + gives,
          `${length} bytes a piece`,
        );
    });
  });

test('wherever the stream is cut, it is reported alike', async () => {
  const bytes = [chunk, ': ping\n\n', tail, said, DONE].join('');
  for (let at = 1; at < bytes.length; at += 1) {
    const text = await given(stream([words.join('') + bytes.slice(0, at), bytes.slice(at)]));
    assert.equal(text, begun + chunk + said, `at ${at}`);
  }
});

test('its usage is priced, and its prompt is on the record', async () => {
  const text = await given(stream([...words, data(`{${head},"error":${error},${choices},${usage}}`), DONE]));
  const priced = usage.replace('}', ',"cost":0.000017}');
  assert.equal(text, begun + data(`{${head},"error":${error},${choices},${priced}}`) + alone);
  const record = bench.records.at(-1);
  assert.deepEqual([record?.usage.inputTokens, record?.usageSource], [7, 'estimated']);
});

test('a provider that then stays silent is disconnected after a second', async () => {
  const arrived = bench.upstream.nextExchange();
  let sent = () => {};
  const written = new Promise<void>((resolve) => {
    sent = resolve;
  });
  const text = given(async (exchange) => {
    await exchange.openStream();
    await exchange.chunk(words.join('') + chunk);
    sent();
  });
  await written;
  const { closed } = await arrived;
  while (bench.calls.at(-1)?.active !== null) await turn();
  clock.advance(1_000);
  assert.equal(await text, begun + chunk + alone);
  clock.advance(1_000);
  await closed;
});

test('a caller that leaves meanwhile does not change how the call ended', async () => {
  bench.upstream.play(async (exchange) => {
    await exchange.openStream();
    await exchange.chunk(words.join('') + chunk);
  });
  const [entered, settled] = [bench.nextCall(), bench.nextRecord()];
  const response = await bench.post(PATHS['openai-chat'], chatBody(true));
  const call = await entered;
  const closed = new Promise((resolve) => call.response.on('close', resolve));
  while (call.active !== null) await turn();
  await response.body?.cancel();
  await closed;
  clock.advance(1_000);
  const { ending, charge, responseBytes } = await settled;
  assert.deepEqual([ending, charge], ['upstream_failed', 0n]);
  assert.equal(responseBytes, (begun + chunk + alone).length);
});

test('a connection that breaks after it changes nothing', async () => {
  const text = await given(async (exchange) => {
    await exchange.openStream();
    await exchange.chunk(words.join('') + chunk);
    while (bench.calls.at(-1)?.active !== null) await turn();
    exchange.reset();
  });
  assert.equal(text, begun + chunk + alone);
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
