/**
 * Goal: events are sent immediately, and a stream ends with its reader, its reader's rights, or the server. Method: a real server on
 * loopback, read with a bare client; time moved by hand.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { EventAnswer, type ServerEvent } from './handler.ts';
import { type Doors, openDoors, sessionToken } from './mount-fixture.ts';
import { PING_MS } from './send-events.ts';

/** Events pushed by a test, which end when their reader has left. */
class Source {
  readonly #waiting: ServerEvent[] = [];
  #wake: () => void = () => undefined;
  isOver = false;

  push(data: unknown): void {
    this.#waiting.push({ event: 'call', data });
    this.#wake();
  }

  end(): void {
    this.isOver = true;
    this.#wake();
  }

  async *events(gone: AbortSignal): AsyncGenerator<ServerEvent> {
    gone.addEventListener('abort', () => this.end());
    while (!this.isOver) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => this.#listen(resolve));
    }
  }

  #listen(wake: () => void): void {
    this.#wake = wake;
  }
}

interface Following {
  readonly doors: Doors;
  readonly source: Source;
  readonly answer: IncomingMessage;
  /** Reads until everything received contains `text`. */
  read(text: string): Promise<void>;
}

async function follow(run: (following: Following) => Promise<void>): Promise<void> {
  const source = new Source();
  const doors = openDoors({
    handlers: { followCalls: ({ context }) => new EventAnswer(source.events(context.gone)) },
  });
  await doors.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = doors.server.server.address() as AddressInfo;
  const request = get({
    host: '127.0.0.1',
    port,
    path: '/api/dashboard/calls/live',
    headers: { cookie: `turnpike-session=${sessionToken('viewer')}` },
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  let soFar = '';
  const read = async (text: string) => {
    while (!soFar.includes(text)) soFar += String((await once(answer, 'data'))[0]);
  };
  try {
    await run({ doors, source, answer, read });
  } finally {
    request.destroy();
    await doors.server.close();
  }
}

test('events are sent as they happen, with a ping at the start and every 15 s', () =>
  follow(async ({ doors, source, answer, read }) => {
    assert.equal(answer.headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.match(String(answer.headers['x-request-id']), /^req_/);
    await read('event: ping\ndata: {}\n\n');
    source.push({ id: 'gen-1', charge: JSON.rawJSON('0.000000001') });
    await read('event: call\ndata: {"id":"gen-1","charge":0.000000001}\n\n');
    doors.clock.advance(PING_MS);
    await read('}\n\nevent: ping\ndata: {}\n\n');
  }));

test('a reader that leaves ends its source', () =>
  follow(async ({ source, answer, read }) => {
    await read('ping');
    answer.destroy();
    while (!source.isOver) await new Promise(setImmediate);
  }));

test('the end of the source ends the stream properly', () =>
  follow(async ({ source, answer, read }) => {
    await read('ping');
    source.end();
    answer.resume();
    await once(answer, 'end');
    assert.ok(answer.complete);
  }));

test('a server that closes ends its streams', () =>
  follow(async ({ doors, source, answer, read }) => {
    await read('ping');
    const closed = doors.server.close();
    answer.resume();
    await once(answer, 'end');
    await closed;
    assert.ok(source.isOver);
  }));

test('an ended session receives no further event', () =>
  follow(async ({ doors, source, answer, read }) => {
    await read('ping');
    doors.sessions.delete(sessionToken('viewer'));
    doors.clock.advance(1_000);
    let rest = '';
    answer.on('data', (chunk) => {
      rest += chunk;
    });
    source.push({ id: 'gen-secret' });
    await once(answer, 'end');
    assert.equal(rest, '');
  }));

test('the stream of a removed member ends with the next ping at the latest', () =>
  follow(async ({ doors, answer, read }) => {
    await read('ping');
    doors.memberships.length = 0;
    doors.clock.advance(PING_MS);
    answer.resume();
    await once(answer, 'end');
  }));

test('a reader that does not read is cut off, and its buffer stays small', () =>
  follow(async ({ source, answer }) => {
    answer.pause();
    const text = 'x'.repeat(64 * 1024);
    let sent = 0;
    while (!source.isOver) {
      source.push(text);
      sent += text.length;
      await new Promise(setImmediate);
      // The sockets of both sides buffer some megabytes; more would be in our memory.
      assert.ok(sent < 64 * 1024 * 1024);
    }
  }));

test('one person cannot open all streams', () =>
  follow(async ({ doors, read }) => {
    await read('ping');
    const { port } = doors.server.server.address() as AddressInfo;
    const open = async (name: string) => {
      const request = get({
        host: '127.0.0.1',
        port,
        path: '/api/dashboard/calls/live',
        headers: { cookie: `turnpike-session=${sessionToken(name)}` },
      });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      answer.on('error', () => undefined);
      return { status: answer.statusCode, leave: () => request.destroy() };
    };
    const others = await Promise.all(Array.from({ length: 19 }, () => open('viewer')));
    assert.ok(others.every(({ status }) => status === 200));
    assert.equal((await open('viewer')).status, 503);
    const owner = await open('owner');
    assert.equal(owner.status, 200);
    others[0]?.leave();
    let status: number | undefined = 503;
    while (status === 503) status = (await open('viewer')).status;
    assert.equal(status, 200);
    for (const { leave } of [...others, owner]) leave();
  }));
