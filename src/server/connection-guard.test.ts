/**
 * Goal: connections stay within the descriptors that there are, without harm to running calls, and heal by themselves. Method: a real
 * server with few places, real sockets, and a count of descriptors that the test sets.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { until } from '../../test/support/turns.ts';
import { ManualClock } from '../core/clock.ts';
import { connectionsMax } from '../gateway/capacity/descriptor-limit.ts';
import { ConnectionGuard } from './connection-guard.ts';

test('half of what files, threads and a reserve leave free is for callers, the other half for providers', () => {
  assert.equal(connectionsMax(256, 44), 90);
  assert.equal(connectionsMax(1024, 121), 400);
  assert.equal(connectionsMax(40, 44), 1);
  assert.equal(connectionsMax(null, 44), Number.POSITIVE_INFINITY);
});

interface Subject {
  readonly guard: ConnectionGuard;
  readonly load: { crowded: boolean };
  readonly clock: ManualClock;
  readonly responses: ServerResponse[];
  /** The server's ends of the connections. */
  readonly accepted: Socket[];
  open(request?: string): Promise<Socket>;
  close(): Promise<void>;
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** 44 descriptors for other things: 10 connections. */
const LIMIT = 96;
const PLACES = 10;
const RESERVED = 16;
const QUIET_MS = 250;

/** A server that answers no request until the test does. */
async function subject(): Promise<Subject> {
  const clock = new ManualClock();
  const load = { crowded: false };
  let others = 44;
  const guard: ConnectionGuard = new ConnectionGuard({
    clock,
    load,
    upstream: () => 0,
    descriptors: { limit: LIMIT, count: () => others },
  });
  const responses: ServerResponse[] = [];
  const server: Server = createServer((_request, response) => void responses.push(response));
  const accepted: Socket[] = [];
  server.on('connection', (socket) => void accepted.push(socket));
  guard.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    guard,
    load,
    clock,
    responses,
    accepted,
    async open(request = REQUEST) {
      const opened = once(server, 'connection');
      others = 44 + guard.open + 1;
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined);
      await opened;
      if (request !== '') {
        const asked = once(server, 'request');
        socket.write(request);
        await Promise.race([asked, once(socket, 'close')]);
      }
      return socket;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('beyond the places calls are shed until connections have closed; beyond the reserve connections are closed unread', async () => {
  const { guard, load, open, close } = await subject();
  const busy: Socket[] = [];
  for (let at = 0; at < PLACES; at += 1) busy.push(await open());
  assert.equal(load.crowded, false);
  for (let at = 0; at < RESERVED; at += 1) busy.push(await open());
  assert.equal(load.crowded, true);
  assert.equal(guard.refused, 0);
  const refused = await open('');
  await once(refused.resume(), 'close');
  assert.equal(guard.refused, 1);
  assert.equal(guard.open, PLACES + RESERVED);
  for (const socket of busy.slice(0, RESERVED + 2)) {
    socket.destroy();
    await once(socket, 'close');
  }
  await until('the server to see them close', () => guard.open === PLACES - 2);
  assert.equal(load.crowded, false);
  await close();
});

test('requests that arrive a byte at a time lose the reserved places to those that arrive whole', async () => {
  const { guard, clock, responses, accepted, open, close } = await subject();
  for (let at = 0; at < PLACES; at += 1) await open();
  const slow: Socket[] = [];
  for (let at = 0; at < RESERVED; at += 1) slow.push(await open(''));
  for (const socket of slow) socket.write('GET / HT');
  await until('the first bytes to arrive', () => accepted.slice(PLACES).every(({ bytesRead }) => bytesRead > 0));
  clock.advance(QUIET_MS);
  await open();
  assert.equal(responses.length, PLACES + 1);
  assert.equal(guard.open, PLACES + RESERVED);
  assert.equal(guard.refused, 1);
  await close();
});

test('idle connections make room for new ones within half a second, those with a request do not', async () => {
  const { guard, load, clock, responses, open, close } = await subject();
  const idle: Socket[] = [];
  for (let at = 0; at < PLACES; at += 1) {
    const socket = await open();
    if (at < 2) continue;
    const answered = once(socket, 'data');
    responses.at(-1)?.end('ok');
    await answered;
    idle.push(socket);
  }
  const closed = idle.map((socket) => once(socket, 'close'));
  await open();
  assert.equal(load.crowded, true);
  clock.advance(500);
  await Promise.all(closed);
  assert.equal(load.crowded, false);
  assert.equal(guard.open, 3);
  await close();
});

test('silent connections make room, one that has just been opened does not', async () => {
  const { load, clock, guard, open, close } = await subject();
  const silent: Socket[] = [];
  for (let at = 0; at < PLACES; at += 1) silent.push(await open(''));
  clock.advance(QUIET_MS);
  const closed = silent.map((socket) => once(socket.resume(), 'close'));
  await open('');
  await Promise.all(closed);
  assert.equal(load.crowded, false);
  assert.equal(guard.open, 1);
  await close();
});
