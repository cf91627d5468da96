/**
 * Goal: a connection is reused as soon as it is free, has one request at a time, and none is leaked. Method: a provider on
 * loopback that distinguishes connections and ends them on demand.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { buildConnector, type Dispatcher } from 'undici';
import { Connections, type RequestHandler, type ReusedConnection } from './connections.ts';

const answer: RequestListener = (_request, response) => void response.end('answer');
let listener: RequestListener = answer;
let server: Server;
/** In the order they came. */
const sockets: Socket[] = [];
const opened: Connections[] = [];

before(async () => {
  server = createServer((request, response) => listener(request, response)).listen(0, '127.0.0.1');
  server.on('connection', (socket) => sockets.push(socket));
  await once(server, 'listening');
});
after(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.destroy()));
  listener = answer;
  sockets.length = 0;
});

test('consecutive requests share a connection', async () => {
  const connections = open();
  for (let time = 0; time < 5; time += 1) assert.equal(await ask(connections), 'answer');
  assert.deepEqual([sockets.length, connections.open], [1, 1]);
});

test('concurrent requests have a connection each, which the next ones reuse', async () => {
  const connections = open();
  for (let time = 0; time < 3; time += 1) {
    const held = holdAnswers();
    const asked = Array.from({ length: 20 }, () => ask(connections));
    while (held.length < 20) await once(server, 'request');
    for (const response of held) response.end('held');
    assert.deepEqual(new Set(await Promise.all(asked)), new Set(['held']));
  }
  assert.deepEqual([sockets.length, connections.open], [20, 20]);
});

test('a request that cannot be written is refused, and its connection serves the next one', async () => {
  const connections = open();
  assert.equal(await ask(connections), 'answer');
  await assert.rejects(ask(connections, { 'x-two-lines': 'a\nb' }), /invalid/);
  assert.equal(await ask(connections), 'answer');
  assert.equal(sockets.length, 1);
});

test('an idle connection that the provider closes is removed', async () => {
  const connections = open();
  assert.equal(await ask(connections), 'answer');
  const [socket] = sockets;
  assert.ok(socket !== undefined);
  socket.end();
  await once(socket, 'close');
  assert.equal(connections.open, 0);
  assert.equal(await ask(connections), 'answer');
  assert.deepEqual([sockets.length, connections.open], [2, 1]);
});

test('after an answer that closes its connection, and after one that is cut off, the next request opens a new connection', async () => {
  const connections = open();
  listener = (_request, response) => void response.writeHead(200, { connection: 'close' }).end('last');
  assert.equal(await ask(connections), 'last');
  listener = (_request, response) => void response.write('half', () => response.destroy());
  await assert.rejects(ask(connections));
  listener = answer;
  for (let time = 0; time < 3; time += 1) assert.equal(await ask(connections), 'answer');
  assert.deepEqual([sockets.length, connections.open], [3, 1]);
});

test('a request to an origin where nothing listens fails, and so does the next one', async () => {
  const unused = createServer().listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const { port } = unused.address() as AddressInfo;
  unused.close();
  await once(unused, 'close');
  const connections = open(port);
  for (let time = 0; time < 3; time += 1) await assert.rejects(ask(connections), /ECONNREFUSED/);
  assert.equal(connections.open, 0);
});

test('closing connections lets their requests finish, destroying them does not', async () => {
  const [patient, cut] = [open(), open()];
  const held = holdAnswers();
  const ends = ask(patient);
  const fails = assert.rejects(ask(cut));
  while (held.length < 2) await once(server, 'request');
  const closing = patient.close();
  await cut.destroy();
  await fails;
  for (const response of held) response.end('held');
  assert.equal(await ends, 'held');
  await closing;
  assert.deepEqual([patient.open, cut.open], [0, 0]);
});

function open(port = (server.address() as AddressInfo).port): Connections {
  const connections = new Connections({
    origin: `http://127.0.0.1:${port}`,
    forward: null,
    connector: buildConnector({ timeout: 1000, allowH2: false }),
    keepAliveMs: 4000,
  });
  opened.push(connections);
  return connections;
}

function holdAnswers(): ServerResponse[] {
  const held: ServerResponse[] = [];
  listener = (_request, response) => void held.push(response);
  return held;
}

/** The body of the answer, a turn after its end, when the connection takes requests again. */
async function ask(connections: Connections, headers: Record<string, string> = {}): Promise<string> {
  const body = await new Promise<string>((resolve, reject) => {
    connections.dispatch({ path: '/', method: 'GET', headers }, new TextCollector(resolve, reject));
  });
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return body;
}

class TextCollector implements RequestHandler {
  wasRefused = false;
  reused: ReusedConnection | null = null;
  readonly #resolve: (body: string) => void;
  readonly #reject: (error: Error) => void;
  #body = '';

  constructor(resolve: (body: string) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(): void {}

  onResponseStart(): void {}

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body += chunk.toString();
  }

  onResponseEnd(): void {
    this.#resolve(this.#body);
  }

  onResponseError(controller: Dispatcher.DispatchController | null, error: Error): void {
    this.wasRefused = controller === null;
    this.#reject(error);
  }
}
