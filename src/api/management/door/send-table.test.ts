/**
 * Goal: a table arrives complete or is recognisably broken, and is produced no faster than it is read. Method: a real socket, and batches
 * from a test.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import type { CsvRow } from './csv.ts';
import { TableAnswer } from './handler.ts';
import { openDoors, sessionToken } from './mount-fixture.ts';
import { IDLE_MS } from './send-table.ts';

type Batches = AsyncGenerator<readonly CsvRow[], CsvRow>;

async function follow(
  makeBatches: () => Batches,
  run: (table: { answer: IncomingMessage; doors: ReturnType<typeof openDoors> }) => Promise<void>,
): Promise<void> {
  const doors = openDoors({
    handlers: { listMovements: () => new TableAnswer(['at', 'amount'], makeBatches(), 'ledger "x"\r\n', 'now') },
  });
  await doors.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = doors.server.server.address() as AddressInfo;
  const request = get({
    host: '127.0.0.1',
    port,
    path: '/api/dashboard/ledger?format=csv',
    headers: { cookie: `turnpike-session=${sessionToken('viewer')}` },
  });
  try {
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    await run({ answer, doors });
  } finally {
    request.destroy();
    await doors.server.close();
  }
}

/** Resolves when it is closed, for any reason. */
function closed(answer: IncomingMessage): Promise<void> {
  return new Promise((resolve) => (answer.closed ? resolve() : answer.once('close', resolve)));
}

test('a table has a header, rows, a total line, and a proper end', () =>
  follow(
    async function* () {
      yield [['a', 1]];
      yield [];
      yield [['b', 2]];
      return ['total', 3];
    },
    async ({ answer }) => {
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
      assert.match(answer.headers['content-disposition'] ?? '', /^attachment; filename="ledger_x_-[\d-]+\.csv"$/);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(await text(answer), 'at,amount\r\na,1\r\nb,2\r\ntotal,3\r\n');
      assert.ok(answer.complete);
    },
  ));

test('a table that fails ends in the middle of its body, without a total', () =>
  follow(
    async function* () {
      yield [['a', 1]];
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
      throw new Error('the disk is gone');
    },
    async ({ answer, doors }) => {
      let soFar = '';
      answer.on('data', (chunk) => {
        soFar += chunk;
      });
      await closed(answer);
      assert.equal(answer.complete, false);
      assert.doesNotMatch(soFar, /total/);
      assert.equal(doors.errors[0]?.code, 'internal_error');
    },
  ));

test('a table that cannot begin is an ordinary error', () =>
  follow(
    // biome-ignore lint/correctness/useYield: it throws before.
    async function* () {
      throw new GatewayError('shedding', { message: 'Too many exports run at once.' });
    },
    async ({ answer }) => {
      assert.equal(answer.statusCode, 503);
      assert.match(await text(answer), /Too many exports run at once/);
    },
  ));

test('it ends when the caller loses the right to see it', () =>
  follow(
    async function* () {
      for (let row = 0; ; row += 1) {
        yield [[String(row), row]];
        await new Promise(setImmediate);
      }
    },
    async ({ answer, doors }) => {
      answer.resume();
      doors.sessions.delete(sessionToken('viewer'));
      doors.clock.advance(1_000);
      await closed(answer);
      assert.equal(answer.complete, false);
    },
  ));

test('a caller that does not read stops the production of rows, and is cut off in the end', async () => {
  let batches = 0;
  let isOver = false;
  const row = ['x'.repeat(1_000), 1];
  await follow(
    async function* () {
      try {
        for (;;) {
          batches += 1;
          yield Array.from({ length: 100 }, () => row);
        }
      } finally {
        isOver = true;
      }
    },
    async ({ answer, doors }) => {
      answer.pause();
      let seen = -1;
      // The operating system buffers some megabytes.
      while (seen !== batches) {
        seen = batches;
        for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
      }
      assert.ok(batches < 300, `${batches} batches of 100 kB`);
      doors.clock.advance(IDLE_MS);
      while (!isOver) await new Promise(setImmediate);
      answer.resume();
      await closed(answer);
      assert.equal(answer.complete, false);
    },
  );
});
