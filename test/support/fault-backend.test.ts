/**
 * Goal: the fault backend does on the wire what a fault's name says, in every format; a row of the fault table then tests the gateway and
 * not its own provider. Method: requests to it without a gateway between, over raw sockets where bytes matter.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ManualClock } from '../../src/core/clock.ts';
import { type ProviderDialectName, providerDialects } from '../../src/dialects/index.ts';
import { FAULT_WORDS } from './fault-answers.ts';
import { openBlackHole, refusingOrigin, startFaultBackend } from './fault-backend.ts';
import { FAULTS, FORGED, faultScript } from './fault-scripts.ts';
import { headerOf } from './http-reader.ts';
import { laneAnswers } from './lane-answers.ts';
import { RawConnection, statusOf } from './raw-connection.ts';
import type { ScriptedUpstream } from './scripted-upstream.ts';
import { standstill, until } from './turns.ts';

const FORMATS = Object.keys(providerDialects) as ProviderDialectName[];

const clock = new ManualClock();
let backend: ScriptedUpstream;
before(async () => {
  backend = await startFaultBackend(clock);
});
after(() => backend.close());

const enc = encodeURIComponent;
const PATHS: Readonly<Record<ProviderDialectName, (model: string, streamed: boolean) => string>> = {
  'openai-chat': () => '/v1/chat/completions',
  'anthropic-messages': () => '/v1/messages',
  'openai-responses': () => '/v1/responses',
  gemini: (model, streamed) => `/v1beta/models/${enc(model)}:${streamed ? 'streamGenerateContent' : 'generateContent'}`,
  'bedrock-converse': (model, streamed) => `/model/${enc(model)}/converse${streamed ? '-stream' : ''}`,
};

async function ask(fault: string, format: ProviderDialectName = 'openai-chat', stream = false): Promise<RawConnection> {
  const connection = await RawConnection.open(backend.origin);
  const model = `fault:${fault}`;
  const body = JSON.stringify({ model, stream });
  await connection.write(
    `POST ${PATHS[format](model, stream)} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return connection;
}

async function answerTo(fault: string, format: ProviderDialectName = 'openai-chat', stream = false) {
  const connection = await ask(fault, format, stream);
  const answer = await connection.answer();
  connection.close();
  return { status: statusOf(answer), body: answer?.body ?? Buffer.alloc(0), answer };
}

test('a fault that does not exist is an error, which names those that do', () => {
  assert.throws(() => faultScript('fire', 'openai-chat', true), /no fault fire; there are none, reset/);
  assert.throws(() => faultScript('toString', 'openai-chat', true), /no fault/);
});

describe('in every format', () => {
  for (const format of FORMATS) {
    const { frames, body } = laneAnswers[format];
    const all = Buffer.concat(frames(FAULT_WORDS).map((frame) => Buffer.from(frame)));

    test(`${format}: a model that names no fault is answered well, streamed and whole`, async () => {
      assert.deepEqual((await answerTo('none', format, true)).body, all);
      const whole = await answerTo('none', format);
      assert.deepEqual(JSON.parse(String(whole.body)), JSON.parse(JSON.stringify(body(FAULT_WORDS.join(''), 4))));
    });

    test(`${format}: the same bytes in pieces of three, and a byte at a time on the clock`, async () => {
      assert.deepEqual((await answerTo('pieces@3', format, true)).body, all);
      const dripping = await ask('drip@5000', format, true);
      await until('its head', () => dripping.leftover.includes('\r\n\r\n'));
      for (let sent = 0; sent <= all.length; sent += 1) clock.advance(5_000);
      assert.deepEqual((await dripping.answer())?.body, all);
      dripping.close();
    });

    test(`${format}: a stream that stops after two frames, by RST, FIN, silence, or as if it were whole`, async () => {
      const two = Buffer.concat(
        frames(FAULT_WORDS)
          .slice(0, 2)
          .map((frame) => Buffer.from(frame)),
      );
      assert.deepEqual((await answerTo('truncated@2', format, true)).body, two);
      for (const fault of ['reset@2', 'fin@2']) {
        const connection = await ask(fault, format, true);
        await connection.closed();
        assert.equal(connection.answers.length, 0, 'it is not whole');
      }
      const silent = await ask('silent@2', format, true);
      const tail = two.subarray(-20);
      await until('two frames', () => silent.leftover.includes(tail));
      assert.equal(silent.isClosed, false);
      silent.close();
    });

    test(`${format}: an error in a stream, and one as a refusal`, async () => {
      const { error } = laneAnswers[format];
      const streamed = await answerTo('error-event@1', format, true);
      assert.ok(streamed.body.includes(Buffer.from(error)));
      const refused = await answerTo('status@529', format);
      assert.equal(refused.status, 529);
      assert.match(String(refused.body), /harbour/);
      assert.equal(headerOf(refused.answer as never, 'retry-after'), '7');
    });

    test(`${format}: usage that is missing, wrong or huge, and an unknown reason, streamed and whole`, async () => {
      const good = String((await answerTo('none', format)).body);
      for (const streamed of [true, false]) {
        const absent = await answerTo('usage-absent', format, streamed);
        assert.doesNotMatch(String(absent.body), /usage(Metadata)?":\{"/);
        assert.match(String((await answerTo('usage-negative', format, streamed)).body), /:-1[,}]/);
        assert.match(String((await answerTo('usage-text', format, streamed)).body), /okens?(Count)?":"x"/);
        assert.match(String((await answerTo('usage-huge', format, streamed)).body), /1e\+30/);
        assert.match(String((await answerTo('usage-nan', format, streamed)).body), /okens?(Count)?":NaN[,}]/);
        assert.match(String((await answerTo('reason-unknown', format, streamed)).body), /never_heard_of/);
      }
      assert.match(good, /one two/);
    });
  }
});

describe('on the wire', () => {
  test('a reset or an end before the headers leaves nothing to read', async () => {
    for (const fault of ['reset', 'fin']) {
      const connection = await ask(fault);
      await connection.closed();
      assert.equal(connection.leftover.length, 0);
    }
  });

  test('lengths are wrong by what their names say, and what follows an answer follows it', async () => {
    const length = (head: string) => Number(/content-length: (\d+)/.exec(head)?.[1]);
    for (const [fault, by] of [
      ['length-high', 10],
      ['length-low', -10],
    ] as const) {
      const chunks: Buffer[] = [];
      const connection = await ask(fault);
      connection.socket.on('data', (bytes: Buffer) => chunks.push(bytes));
      await connection.closed();
      const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      assert.equal(length(head), body.length + by);
    }
    for (const fault of ['extra-garbage', 'extra-answer', 'late-answer']) {
      const connection = await ask(fault);
      await until('what is forged', () => connection.answers.length > 1 || connection.leftover.includes(FORGED));
      assert.doesNotMatch(String(connection.answers[0]?.body), new RegExp(FORGED));
      connection.close();
    }
    assert.equal((await answerTo('length-text')).status, 200);
  });

  test('bodies and events that are too large are as large as asked for', async () => {
    assert.equal((await answerTo('large-body@2')).body.length, 2 * 1024 * 1024);
    assert.equal(gunzipSync((await answerTo('gzip-bomb@3')).body).length, 3 * 1024 * 1024);
    const endless = await ask('endless-event@1', 'openai-chat', true);
    await until('a mebibyte', () => endless.leftover.length > 1024 * 1024);
    assert.equal(endless.leftover.indexOf('\n\n'), -1);
    endless.close();
  });

  test('interim answers come before the real one', async () => {
    const connection = await ask('informational@3');
    assert.equal(statusOf(await connection.answer(4)), 200);
    assert.deepEqual(connection.answers.map(statusOf), [103, 103, 103, 200]);
    connection.close();
  });

  test('streams written in other ways have the same events', async () => {
    const names = Object.keys(FAULTS).filter((name) => name.startsWith('sse-'));
    assert.equal(names.length, 8);
    for (const name of names) {
      const text = String((await answerTo(name, 'openai-chat', true)).body);
      assert.match(text, / one/);
      assert.match(text, /\[DONE\]/);
    }
  });
});

test('connections are refused where nobody listens, and neither accepted nor refused where the backlog is full', async () => {
  const refused = connect(Number(new URL(await refusingOrigin()).port), '127.0.0.1');
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => refused.once('error', resolve));
  assert.equal(error.code, 'ECONNREFUSED');
  const hole = await openBlackHole();
  const waiting = connect(Number(new URL(hole.origin).port), '127.0.0.1');
  let heard = false;
  waiting.on('connect', () => (heard = true)).on('error', () => (heard = true));
  assert.equal(await standstill(() => Number(heard), 200), 0);
  waiting.destroy();
  await hole.close();
});
