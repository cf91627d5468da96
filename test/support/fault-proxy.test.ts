/**
 * Goal: each verb of the fault proxy does what its name says and nothing else, so that a test which uses it tests the gateway. Method: a
 * server that sends everything back, on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { standstill, until } from './turns.ts';

/** A client that keeps what it gets, and how its connection ended. */
class Client {
  readonly socket: Socket;
  text = '';
  ended = false;
  closed = false;
  error: string | null = null;

  constructor(origin: string) {
    this.socket = connect({
      port: Number(new URL(origin).port),
      host: '127.0.0.1',
      noDelay: true,
      allowHalfOpen: true,
    });
    this.socket.on('data', (bytes: Buffer) => (this.text += bytes));
    this.socket.on('end', () => (this.ended = true));
    this.socket.on('error', ({ code }: NodeJS.ErrnoException) => (this.error = code ?? null));
    this.socket.on('close', () => (this.closed = true));
  }

  gets(text: string): Promise<void> {
    return until(`${text} (it has ${this.text})`, () => this.text === text);
  }
}

let server: Server;
let clock: ManualClock;
let proxy: FaultProxy;
/** Bytes that reached the server. */
let arrived = 0;
const clients: Client[] = [];

before(async () => {
  server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    socket.on('data', (bytes: Buffer) => {
      arrived += bytes.length;
      socket.write(bytes);
    });
    socket.on('end', () => socket.end()).on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => void server.close());
beforeEach(async () => {
  clock = new ManualClock();
  proxy = await startFaultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock);
  arrived = 0;
});
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await proxy.close();
});

function open(): Client {
  const client = new Client(proxy.origin);
  clients.push(client);
  return client;
}

/** Nothing more happens unless the clock moves. */
async function staysAt(client: Client, text: string): Promise<void> {
  await standstill(() => client.text.length + arrived, 20);
  assert.equal(client.text, text);
}

test('without a fault everything passes, and so does the end', async () => {
  const client = open();
  client.socket.write('hello');
  await client.gets('hello');
  assert.equal(proxy.open, 1);
  client.socket.end();
  await until('the end', () => client.closed);
  assert.equal(client.error, null);
  await until('no connection', () => proxy.open === 0);
});

test('latency delays what comes back, and not what is sent', async () => {
  proxy.add('downstream', { verb: 'latency', ms: 500 });
  const client = open();
  client.socket.write('hello');
  await until('it at the server', () => arrived === 5);
  await staysAt(client, '');
  clock.advance(499);
  await staysAt(client, '');
  clock.advance(1);
  await client.gets('hello');
});

test('latency delays what is sent', async () => {
  proxy.add('upstream', { verb: 'latency', ms: 500 });
  const client = open();
  client.socket.write('hello');
  await staysAt(client, '');
  assert.equal(arrived, 0);
  clock.advance(500);
  await client.gets('hello');
});

test('bandwidth passes so many bytes a second', async () => {
  proxy.add('downstream', { verb: 'bandwidth', bytesPerSecond: 100 });
  const client = open();
  client.socket.write('x'.repeat(100));
  await until('it at the server', () => arrived === 100);
  await client.gets('x'.repeat(5));
  clock.advance(500);
  await client.gets('x'.repeat(55));
  clock.advance(500);
  await client.gets('x'.repeat(100));
});

test('slow_close passes bytes at once and the end later', async () => {
  proxy.add('downstream', { verb: 'slow_close', ms: 1_000 });
  const client = open();
  client.socket.end('bye');
  await client.gets('bye');
  clock.advance(999);
  await standstill(() => Number(client.ended), 20);
  assert.equal(client.ended, false);
  clock.advance(1);
  await until('the end', () => client.ended);
});

test('timeout lets nothing through, and closes after its time', async () => {
  proxy.add('downstream', { verb: 'timeout', ms: 2_000 });
  const client = open();
  client.socket.write('hello');
  await until('it at the server', () => arrived === 5);
  clock.advance(1_999);
  await staysAt(client, '');
  assert.equal(client.closed, false);
  clock.advance(1);
  await until('the end', () => client.ended || client.closed);
  assert.equal(client.text, '');
});

test('timeout 0 lets nothing through and stays open', async () => {
  proxy.add('downstream', { verb: 'timeout', ms: 0 });
  const client = open();
  client.socket.write('hello');
  await until('it at the server', () => arrived === 5);
  clock.advance(3_600_000);
  await staysAt(client, '');
  assert.equal(client.closed, false);
});

test('reset_peer resets, at once or later', async () => {
  proxy.add('downstream', { verb: 'reset_peer', ms: 0 });
  const first = open();
  first.socket.write('hello');
  await until('the reset', () => first.closed);
  assert.equal(first.error, 'ECONNRESET');
  assert.equal(first.text, '');
  proxy.clear();
  proxy.add('downstream', { verb: 'reset_peer', ms: 300 });
  const second = open();
  second.socket.write('hello');
  await second.gets('hello');
  clock.advance(300);
  await until('the reset', () => second.closed);
  assert.equal(second.error, 'ECONNRESET');
});

test('slicer cuts into pieces, with a pause between them', async () => {
  proxy.add('downstream', { verb: 'slicer', bytes: 2, ms: 10 });
  const client = open();
  client.socket.end('abcde');
  await client.gets('ab');
  await staysAt(client, 'ab');
  clock.advance(10);
  await client.gets('abcd');
  assert.equal(client.ended, false);
  clock.advance(10);
  await client.gets('abcde');
  await until('the end', () => client.ended);
});

test('limit_data ends the connection after so many bytes', async () => {
  proxy.add('downstream', { verb: 'limit_data', bytes: 3 });
  const client = open();
  client.socket.write('hello');
  await until('the end', () => client.ended);
  assert.equal(client.text, 'hel');
});

test('faults are applied one after the other, and hold for new connections only', async () => {
  const old = open();
  old.socket.write('first');
  await old.gets('first');
  proxy.add('downstream', { verb: 'latency', ms: 100 });
  proxy.add('downstream', { verb: 'limit_data', bytes: 2 });
  const client = open();
  client.socket.write('hello');
  await until('it at the server', () => arrived === 10);
  await staysAt(client, '');
  clock.advance(100);
  await client.gets('he');
  old.socket.write(' again');
  await old.gets('first again');
});
