/**
 * Goal: bytes that are not HTTP, sent while a call runs on their connection, do not harm its answer: the call is answered
 * first and completely, then they are refused. Method: raw sockets, and a provider that waits until the garbage has arrived.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OpenBench, openBench, rawCall } from '../support/open-gateway.ts';
import { statusOf } from '../support/raw-connection.ts';
import { until } from '../support/turns.ts';
import { answerWell } from '../support/upstream-scripts.ts';

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

const garbage: readonly [what: string, bytes: string | null, status: number | null][] = [
  ['bytes that are no HTTP', '\x00\x01garbage\r\n\r\n', 400],
  ['a line too long for a header', `GET / HTTP/1.1\r\nX: ${'a'.repeat(128 * 1024)}`, 431],
  ['half a request, and the end', null, 400],
];

for (const streamed of [false, true]) {
  describe(streamed ? 'in a stream' : 'before a whole answer', () => {
    for (const [what, bytes, status] of garbage) {
      test(`${what}: the running call is answered first, completely`, async () => {
        const arrived = Promise.withResolvers<void>();
        bench.upstream.play(async (exchange) => {
          await arrived.promise;
          await answerWell(exchange);
        });
        const reached = bench.upstream.nextExchange();
        const recorded = bench.nextRecord();
        const connection = await bench.connect();
        const entered = bench.nextCall();
        await connection.write(rawCall(bench, 'openai-chat', streamed));
        const call = await entered;
        await reached;
        const { socket } = call.response;
        const read = socket?.bytesRead ?? 0;
        if (bytes === null) connection.socket.end('POST /api/v1/chat');
        else void connection.write(bytes);
        await until('the garbage to arrive', () => (socket?.bytesRead ?? 0) > read);
        arrived.resolve();
        await connection.closed();
        bench.upstream.play(answerWell);
        assert.deepEqual(connection.answers.map(statusOf), [200, status]);
        const text = connection.answers[0]?.body.toString() ?? '';
        if (streamed) assert.ok(text.endsWith('data: [DONE]\n\n'), text);
        else assert.equal(JSON.parse(text).choices[0].message.content, 'Hi you');
        assert.equal((await recorded).ending, 'complete');
      });
    }
  });
}

test('several requests before the garbage are all answered, in order, then it is refused', async () => {
  const connection = await bench.connect();
  const three = rawCall(bench, 'openai-chat', false).repeat(3);
  await connection.write(`${three}\x00garbage\r\n\r\n`);
  await connection.closed();
  assert.deepEqual(connection.answers.map(statusOf), [200, 200, 200, 400]);
});

test('a broken body after a running call is refused when its turn comes', async () => {
  const connection = await bench.connect();
  const broken = rawCall(bench, 'openai-chat', false).replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
  await connection.write(`${rawCall(bench, 'openai-chat', false)}${broken}`);
  await connection.closed();
  assert.deepEqual(connection.answers.map(statusOf), [200, 400]);
});
