/**
 * Goal: whatever a server sends in place of replies, this process goes on, says what is wrong, and uses the server again once it behaves.
 * Method: a server of our own that does as the test says.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Secret } from '../../core/secret.ts';
import { GOOD, type HostileServer, startHostile } from './hostile-server.ts';
import { probeValkey } from './probe-valkey.ts';
import { Valkey } from './valkey.ts';

async function open(context: TestContext, { url }: HostileServer): Promise<Valkey> {
  const valkey = await Valkey.open({ url, name: 'hostile' });
  context.after(() => valkey.close());
  await valkey.connected();
  return valkey;
}

/** Also if it is reset. */
const closing = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

const exchange = (valkey: Valkey) => valkey.run('exchangeNotices', ['notices'], ['a', '']);

for (const [what, bytes] of [
  ['a length that leads the client back to its own beginning', '$*\r\n+OK\r\n'],
  ['lists within lists', '*1\r\n'.repeat(30_000)],
  ['a list of a thousand million items', '*1000000000\r\n'],
  ['the reply of another program', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['null', '$-1\r\n'],
] as const)
  test(`${what} in place of a reply: the connection ends, a sentence says so, and the next one works`, async (context) => {
    const hostile = await startHostile(context);
    const valkey = await open(context, hostile);
    hostile.answer = (socket) => void socket.write(bytes);
    await assert.rejects(exchange(valkey), /127\.0\.0\.1:\d+ sends is no reply of a Valkey/);
    hostile.answer = (socket) => void socket.write(GOOD);
    await valkey.connected();
    assert.deepEqual(await exchange(valkey), ['0-0', []]);
  });

for (const bytes of ['$-1\r\n', '>1\r\n$-1\r\n', '*2\r\n$-1\r\n$-1\r\n', '+OK\r\n'.repeat(500), '-ERR of nobody\r\n'])
  test(`${JSON.stringify(bytes.slice(0, 20))} that nobody asked for ends its connection, not this process`, async (context) => {
    const hostile = await startHostile(context);
    const valkey = await open(context, hostile);
    const [socket] = hostile.sockets;
    assert.ok(socket);
    const closed = closing(socket);
    socket.write(bytes);
    await closed;
    await valkey.connected();
    assert.deepEqual(await exchange(valkey), ['0-0', []]);
  });

test('a reply without end does not fill the memory', async (context) => {
  const hostile = await startHostile(context);
  const valkey = await open(context, hostile);
  const piece = Buffer.alloc(1024 * 1024, 'x');
  hostile.answer = (socket) => {
    socket.write(`$${900_000_000}\r\n`);
    const more = () => {
      for (let hasRoom = true; hasRoom && !socket.destroyed; ) hasRoom = socket.write(piece);
    };
    socket.on('drain', more);
    more();
  };
  const [socket] = hostile.sockets;
  assert.ok(socket);
  const closed = closing(socket);
  await assert.rejects(exchange(valkey));
  await closed;
  assert.ok(hostile.sentBytes < 64 * 1024 * 1024, `${hostile.sentBytes} bytes were taken`);
});

test('doctor says what is wrong, too', async (context) => {
  const hostile = await startHostile(context);
  assert.equal(await probeValkey(hostile.url), null);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('$*\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  assert.match((await probeValkey(new Secret(`redis://127.0.0.1:${port}`))) ?? '', /no reply of a Valkey/);
});
