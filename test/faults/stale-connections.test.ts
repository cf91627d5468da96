/**
 * Goal: a provider that has closed the connections that were kept, as it may after a quiet time, costs no caller its answer, however many
 * calls come at once; one that resets new connections is not asked more often than the retry budget allows. Method: a provider that
 * resets each connection when a second request arrives on it, or every connection.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { chatBody, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';
import type { Exchange, Script } from '../support/scripted-upstream.ts';
import { answerWell, resetAtOnce } from '../support/upstream-scripts.ts';

const CALLS = 50;

let bench: OpenBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const ask = (streamed: boolean) => bench.post(PATHS['openai-chat'], chatBody(streamed));
const inParallel = (streamed: boolean) => Promise.all(Array.from({ length: CALLS }, () => ask(streamed)));

/** As many connections as calls, each used once. */
async function keepConnections(): Promise<ReadonlySet<Socket>> {
  const held: Exchange[] = [];
  const all = Promise.withResolvers<void>();
  bench.upstream.play((exchange) => {
    held.push(exchange);
    if (held.length === CALLS) all.resolve();
  });
  const calls = inParallel(false);
  await all.promise;
  for (const exchange of held) await answerWell(exchange);
  for (const response of await calls) assert.match(await response.text(), /Hi you/);
  const sockets = new Set(held.map(({ socket }) => socket));
  assert.equal(sockets.size, CALLS);
  return sockets;
}

/** Lets all calls arrive on the connections that are kept, then does `end` to each of them; new connections are answered. */
function endAllTogether(kept: ReadonlySet<Socket>, end: Script, instead: Script = answerWell): void {
  const arrived: Exchange[] = [];
  bench.upstream.play(async (exchange) => {
    if (!kept.has(exchange.socket)) return instead(exchange);
    arrived.push(exchange);
    if (arrived.length === CALLS) for (const each of arrived) await end(each);
  });
}

for (const streamed of [false, true])
  test(`calls that meet closed connections are all answered, each tried once more on a new one: ${streamed ? 'streams' : 'whole answers'}`, async () => {
    const kept = await keepConnections();
    endAllTogether(kept, resetAtOnce);
    const before = bench.upstream.exchanges.length;
    const answers = await inParallel(streamed);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    for (const answer of answers) assert.match(await answer.text(), streamed ? /\[DONE\]/ : /Hi you/);
    const asked = bench.upstream.exchanges.slice(before);
    assert.equal(asked.length, 2 * CALLS);
    assert.equal(asked.filter(({ socket }) => kept.has(socket)).length, CALLS);
  });

test('a call is tried once more for that, and within the budget if the new connection is reset, too', async () => {
  const kept = await keepConnections();
  endAllTogether(kept, resetAtOnce, resetAtOnce);
  for (let burst = 0; burst < 2; burst += 1) assert.ok((await inParallel(false)).every(({ status }) => status === 502));
  const calls = 3 * CALLS;
  const attempts = bench.upstream.exchanges.length;
  assert.ok(
    attempts - CALLS <= 1.2 * calls + 3,
    `${attempts} requests for ${calls} calls, ${CALLS} of them on closed connections`,
  );
});

test('a connection that has brought a part of an answer was not closed: the budget counts what follows', async () => {
  const kept = await keepConnections();
  endAllTogether(kept, async (exchange) => {
    await exchange.raw('HTTP/1.1 2');
    await exchange.reset();
  });
  const before = bench.upstream.exchanges.length;
  const answers = await inParallel(false);
  const answered = answers.filter(({ status }) => status === 200).length;
  assert.ok(answered > 0 && answered <= 2 * 0.2 * CALLS, `${answered} calls were tried again`);
  assert.equal(bench.upstream.exchanges.length - before, CALLS + answered);
});
