/**
 * Goal: if an account allows it, bodies are stored as they passed; otherwise nothing of them is on disk. No call is delayed
 * or fails because of it. Method: the whole gateway over loopback, and a search through every file of its data folder.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  type OpenBench,
  openBench,
  openGateway,
  PATHS,
  scriptedProvider,
} from '../../test/support/open-gateway.ts';
import {
  answerWell,
  anthropicBody,
  anthropicFrames,
  isMessages,
  openaiBody,
  openaiFrames,
  refuse,
  stream,
} from '../../test/support/upstream-scripts.ts';
import type { CaptureSettings } from '../accounts/ports.ts';
import type { KeptBodies } from '../capture/ports.ts';
import { accountId, parseCallId } from '../core/ids.ts';
import type { CallRecord } from '../stats/record.ts';

const PROMPT = 'the canary in the prompt sings';
const ANSWER = 'the canary in the answer hums';
const ON: CaptureSettings = { on: true, retentionDays: 7, redact: false };
const OFF: CaptureSettings = { ...ON, on: false };
const MINE = accountId(1);

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

function say(text: string): void {
  bench.upstream.play((exchange) => {
    const isAnthropic = isMessages(exchange);
    const pieces = text.split(/(?=[ @])/);
    if (exchange.json['stream'] === true)
      return stream(isAnthropic ? anthropicFrames(pieces) : openaiFrames(pieces))(exchange);
    return exchange.whole(200, isAnthropic ? anthropicBody(text) : openaiBody(text));
  });
}

function setCapture(capture: CaptureSettings): void {
  const { scopes } = bench.app.gateway;
  const account = scopes.account(MINE);
  scopes.putAccount({ ...account, capture, seq: account.seq + 1 });
}

interface Done {
  readonly asked: string;
  readonly answered: string;
  readonly record: CallRecord;
  readonly kept: KeptBodies | null;
}

async function call(dialect: DialectUnderTest, streamed: boolean, prompt = PROMPT): Promise<Done> {
  const ended = bench.nextRecord();
  const body = chatBody(streamed, prompt);
  const response = await bench.post(PATHS[dialect], body);
  const answered = await response.text();
  const record = await ended;
  const id = parseCallId(response.headers.get('x-generation-id') ?? '');
  assert.equal(id, record.callId);
  return {
    asked: JSON.stringify(body),
    answered,
    record,
    kept: await bench.app.captures.bodiesOf(MINE, record.callId),
  };
}

/** The content of all files of the installation. */
function disk(): Buffer {
  const files = readdirSync(bench.dataFolder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
}

for (const dialect of DIALECTS)
  for (const streamed of [false, true])
    test(`${dialect}, ${streamed ? 'streamed' : 'whole'}: both bodies are stored as the caller sent and received them`, async () => {
      setCapture(ON);
      say(ANSWER);
      const { asked, answered, kept, record } = await call(dialect, streamed);
      assert.deepEqual(kept?.request, { text: asked, isTruncated: false });
      assert.deepEqual(kept?.response, { text: answered, isTruncated: false });
      assert.equal(kept?.keptUntil, record.admittedAt + 7 * 86_400_000);
      assert.equal(await bench.app.captures.bodiesOf(accountId(2), record.callId), null, "another account's");
    });

test('a translated answer is stored as the caller received it, whatever the provider sent', async () => {
  const shared = bench;
  bench = await openBench();
  const provider = { ...scriptedProvider('scripted', bench.upstream.origin), dialects: ['anthropic-messages'] };
  const { upstream } = bench;
  const gateway = await openGateway({ providers: [provider] });
  bench = { ...gateway, upstream, close: bench.close };
  try {
    setCapture(ON);
    say(ANSWER);
    for (const streamed of [false, true]) {
      const { asked, answered, kept } = await call('openai-chat', streamed);
      assert.match(answered, /"choices"/);
      assert.deepEqual([kept?.request?.text, kept?.response?.text], [asked, answered]);
    }
  } finally {
    await gateway.close();
    await bench.close();
    bench = shared;
  }
});

test('if capture is off, nothing is copied, and no part of a prompt or an answer is on disk', async () => {
  const fresh = bench;
  bench = await openBench();
  try {
    say(ANSWER);
    for (const dialect of DIALECTS)
      for (const streamed of [false, true]) assert.equal((await call(dialect, streamed)).kept, null);
    assert.ok(bench.calls.every(({ capture }) => capture === null));
    await bench.app.gateway.records.drain();
    assert.ok(!disk().includes(PROMPT) && !disk().includes(ANSWER));

    setCapture(ON);
    for (const dialect of DIALECTS)
      for (const streamed of [false, true]) assert.ok((await call(dialect, streamed)).kept !== null);
    await bench.app.captures.expire();
    assert.ok(readdirSync(join(bench.dataFolder, 'captures')).length > 0);
    assert.ok(!disk().includes(PROMPT) && !disk().includes(ANSWER), 'stored bodies are sealed');

    assert.equal(await bench.app.captures.deleteAllOf(MINE), 4);
    assert.deepEqual(readdirSync(join(bench.dataFolder, 'captures')), []);
    setCapture(OFF);
    assert.equal((await call('openai-chat', true)).kept, null);
  } finally {
    await bench.close();
    bench = fresh;
  }
});

test('a refusal of the provider is stored as the caller received it, and a call that was never admitted is not', async () => {
  setCapture(ON);
  bench.upstream.play(refuse(400, { error: { message: 'no such thing', type: 'invalid_request_error' } }));
  const { answered, kept } = await call('openai-chat', false);
  assert.match(answered, /no such thing/);
  assert.equal(kept?.response?.text, answered);
  const response = await bench.post(PATHS['openai-chat'], chatBody(false, PROMPT, 'acme/no-such-model'));
  await response.text();
  const id = parseCallId(response.headers.get('x-generation-id') ?? '');
  assert.ok(id !== null);
  assert.equal(await bench.app.captures.hasBodies(MINE, id), false);
});

test('a stream that breaks is stored with its end', async () => {
  setCapture(ON);
  bench.upstream.play(async (exchange) => {
    await exchange.openStream();
    for (const frame of openaiFrames(['Hello', ' there']).slice(0, 3)) await exchange.chunk(frame);
    exchange.finish();
  });
  const { answered, kept } = await call('openai-chat', true);
  assert.match(answered, /bad_gateway/);
  assert.equal(kept?.response?.text, answered);
});

test('secrets are redacted before bodies are stored, but the caller still receives them', async () => {
  setCapture({ ...ON, redact: true });
  say('Write to ada@example.org today');
  for (const dialect of DIALECTS)
    for (const streamed of [false, true]) {
      const { answered, kept } = await call(dialect, streamed, 'I am bob@example.org');
      assert.ok(!kept?.request?.text.includes('bob@') && kept?.request?.text.includes('I am [e-mail address]'));
      assert.match(kept?.response?.text ?? '', /Write.*to.*\[e-mail address\].*today/s);
      assert.doesNotMatch(kept?.response?.text ?? '', /example\.org|ada/);
      assert.match(answered, /example\.org/);
    }
});

test('large bodies are truncated at the limit and marked as such, but pass whole', async () => {
  setCapture(ON);
  say('word '.repeat(80_000));
  for (const streamed of [false, true]) {
    const { asked, answered, kept } = await call('openai-chat', streamed, 'ask '.repeat(80_000));
    assert.deepEqual(kept?.request, { text: asked.slice(0, 256 * 1024), isTruncated: true });
    assert.deepEqual(kept?.response, { text: answered.slice(0, 256 * 1024), isTruncated: true });
  }
});

test('an image in a request is replaced by a note of its length, and what follows it is stored', async () => {
  setCapture(ON);
  bench.upstream.play(answerWell);
  const picture = Buffer.alloc(1_000_000, 3).toString('base64');
  const content = [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
    { type: 'text', text: PROMPT },
  ];
  const ended = bench.nextRecord();
  const response = await bench.post(PATHS['openai-chat'], {
    ...chatBody(false),
    messages: [{ role: 'user', content }],
  });
  await response.text();
  const kept = await bench.app.captures.bodiesOf(MINE, (await ended).callId);
  assert.ok(kept?.request?.text.includes(`"url":"[image/png, ${picture.length + 22} bytes]"`));
  assert.ok(kept?.request?.text.includes(PROMPT));
  assert.equal(kept?.request?.isTruncated, false);
});

test('a capture that cannot be stored fails no call: it is counted and logged', async () => {
  setCapture(ON);
  say(ANSWER);
  const { captures } = bench.app.gateway;
  const waiting = Buffer.alloc(70 * 1024 * 1024);
  const { record } = await call('openai-chat', false);
  const from = bench.log.length;
  captures.keep({ ...bench.calls.at(-1)?.capture, callId: record.callId, request: waiting } as never);
  assert.ok(bench.log.slice(from).some((line) => line.includes('captures_lost')));
  assert.match(await bench.app.gateway.metrics.text(), /turnpike_alerts_total\{kind="captures_lost"\} 1/);
  assert.equal((await call('openai-chat', false)).record.ending, 'complete');
});
