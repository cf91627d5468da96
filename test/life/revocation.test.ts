/**
 * Goal: a revoked key stops within a second in the running server, and `--now` ends its running calls with 401, wherever they
 * are. Method: revoked over the control socket while it is in use; calls held up at each step by a raw caller or a provider
 * that waits.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { control, createKey, keyId, revokeKey } from '../support/control.ts';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  errorCode,
  eventsOf,
  type OpenBench,
  openBench,
  PATHS,
  rawCall,
} from '../support/open-gateway.ts';
import { type RawConnection, statusOf } from '../support/raw-connection.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { until } from '../support/turns.ts';
import { answerWell, anthropicFrames, openaiFrames, silent, streamThen } from '../support/upstream-scripts.ts';

const STOPS_WITHIN_MS = 1_000;

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

for (const dialect of DIALECTS) {
  test(`${dialect}: a key in use is refused within a second of its revocation, and others are not`, async (context) => {
    const name = `for ${dialect}`;
    const key = await createKey(bench.dataFolder, name);
    const call = () => bench.post(PATHS[dialect], chatBody(false), { authorization: `Bearer ${key}` });
    const first = await call();
    assert.equal(first.status, 200);
    await first.text();

    await revokeKey(bench.dataFolder, name);
    const revokedAt = performance.now();
    let response = await call();
    while (response.status === 200) {
      await response.text();
      assert.ok(performance.now() - revokedAt < STOPS_WITHIN_MS);
      response = await call();
    }
    context.diagnostic(`refused ${(performance.now() - revokedAt).toFixed(1)} ms after the revocation`);
    assert.equal(response.status, 401);
    assert.equal(errorCode(await response.json()), 'invalid_api_key');

    const other = await bench.post(PATHS[dialect], chatBody(false));
    assert.equal(other.status, 200);
    await other.text();
  });
}

let keysMade = 0;

/** A separate key, and a function that revokes it immediately. */
async function keyToCut(): Promise<{ key: string; cut: () => Promise<void> }> {
  keysMade += 1;
  const name = `to cut ${keysMade}`;
  const key = await createKey(bench.dataFolder, name);
  return {
    key,
    async cut() {
      const id = await keyId(bench.dataFolder, name);
      const { status } = await control(bench.dataFolder, 'DELETE', `/control/api/keys/${id}?now=true`);
      assert.equal(status, 200);
    },
  };
}

async function assertRefused(connection: RawConnection, number = 1): Promise<void> {
  const answer = await connection.answer(number);
  const text = answer?.body.toString() ?? '';
  assert.equal(statusOf(answer), 401, text);
  const body: unknown = JSON.parse(text);
  assert.equal(errorCode(body), 'invalid_api_key');
  assert.match(JSON.stringify(body), /was revoked during this call/);
}

const FRAMES: Readonly<Record<DialectUnderTest, readonly string[]>> = {
  'openai-chat': openaiFrames(['words']).slice(0, 2),
  'anthropic-messages': anthropicFrames(['words']).slice(0, 3),
};

for (const dialect of DIALECTS) {
  describe(`${dialect}: a key revoked with --now is refused with 401`, () => {
    test('while the body is arriving', async () => {
      const { key, cut } = await keyToCut();
      const connection = await bench.connect();
      const entered = bench.nextCall();
      const bytes = rawCall({ url: bench.url, key }, dialect, false);
      await connection.write(bytes.slice(0, -10));
      const call = await entered;
      await until('the body to be read', () => call.active !== null);
      await cut();
      await assertRefused(connection);
      connection.close();
    });

    test('while it waits for an earlier answer on its connection', async () => {
      const [first, second] = [await keyToCut(), await keyToCut()];
      bench.upstream.play(silent);
      const connection = await bench.connect();
      const arrived = bench.upstream.nextExchange();
      await connection.write(rawCall({ url: bench.url, key: first.key }, dialect, false));
      await arrived;
      const entered = bench.nextCall();
      await connection.write(rawCall({ url: bench.url, key: second.key }, dialect, false));
      const waiting = await entered;
      await second.cut();
      await until('the second to be refused', () => waiting.status === 401);
      await first.cut();
      await assertRefused(connection, 1);
      await assertRefused(connection, 2);
      connection.close();
      bench.upstream.play(answerWell);
    });

    for (const streamed of [false, true]) {
      test(`while a provider works${streamed ? ', streamed' : ''}`, async () => {
        const { key, cut } = await keyToCut();
        bench.upstream.play(silent);
        const connection = await bench.connect();
        const arrived = bench.upstream.nextExchange();
        await connection.write(rawCall({ url: bench.url, key }, dialect, streamed));
        await arrived;
        await cut();
        await assertRefused(connection);
        connection.close();
        bench.upstream.play(answerWell);
      });
    }

    test('in a started stream, by its last event', async () => {
      const { key, cut } = await keyToCut();
      bench.upstream.play(streamThen(FRAMES[dialect], () => undefined));
      const reader = await StreamReader.open(bench.url, rawCall({ url: bench.url, key }, dialect, true));
      await reader.sees('words');
      await cut();
      await reader.sees((text) => text.endsWith('0\r\n\r\n'));
      const events = eventsOf(reader.text.slice(reader.text.indexOf('data:')).replaceAll(/\r\n[0-9a-f]*\r\n/g, ''));
      const last = JSON.stringify(events.at(-1)) ?? '';
      assert.match(last, /invalid_api_key/);
      assert.match(last, /was revoked during this call/);
      reader.leave();
      bench.upstream.play(answerWell);
    });
  });
}

test('a call between two steps when its key is revoked with --now goes no further', async () => {
  const { key, cut } = await keyToCut();
  const { replays } = bench.app.gateway;
  const begin = replays.begin.bind(replays);
  const looking = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  replays.begin = async (request) => {
    replays.begin = begin;
    looking.resolve();
    await looked.promise;
    return begin(request);
  };
  const called = bench.upstream.exchanges.length;
  const answer = bench.post(PATHS['openai-chat'], chatBody(false), {
    authorization: `Bearer ${key}`,
    'idempotency-key': 'cut-between-two-steps',
  });
  await looking.promise;
  await cut();
  looked.resolve();
  const refused = await answer;
  assert.equal(refused.status, 401);
  assert.equal(errorCode(await refused.json()), 'invalid_api_key');
  assert.equal(bench.upstream.exchanges.length, called, 'no provider was called');
});

test('a closed account ends its running calls with 401, also while their body is arriving', async () => {
  const made = await control(bench.dataFolder, 'POST', '/control/api/accounts', { name: 'to close' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = (made.body as { data: { id: string } }).data;
  const project = await control(bench.dataFolder, 'POST', `/control/api/projects?account=${id}`, { name: 'of it' });
  assert.equal(project.status, 201, JSON.stringify(project.body));
  const { status, body } = await control(bench.dataFolder, 'POST', `/control/api/keys?account=${id}`, {
    name: 'k',
    project: 'of it',
  });
  assert.equal(status, 201, JSON.stringify(body));
  const connection = await bench.connect();
  const entered = bench.nextCall();
  const bytes = rawCall({ url: bench.url, key: (body as { key: string }).key }, 'openai-chat', false);
  await connection.write(bytes.slice(0, -10));
  await entered;
  const closed = await control(bench.dataFolder, 'POST', `/control/api/account/close?account=${id}`, {
    name: 'to close',
  });
  assert.equal(closed.status, 200, JSON.stringify(closed.body));
  await assertRefused(connection);
  connection.close();
});
