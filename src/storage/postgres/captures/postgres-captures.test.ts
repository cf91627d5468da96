/** Goal: stored bodies are in the schema that dumps leave out, and days are dropped when nothing of them is kept or they need too much space. Method: a real server, time by hand. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { programsOf } from '../../../../test/support/postgres/installations.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import type { SealedCapture } from '../../../capture/ports.ts';
import { ManualClock } from '../../../core/clock.ts';
import { type AccountId, accountId, newCallId } from '../../../core/ids.ts';
import type { StorageProblem } from '../../storage.ts';
import { openConnections } from '../engine/connections.ts';
import { PostgresCaptures } from './postgres-captures.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const MINE = accountId(1);
const THEIRS = accountId(2);

for (const server of serverNames) {
  const open = async (context: TestContext, bytesMax = 1_000_000_000) => {
    const database = await createDatabase(server);
    const connections = await openConnections({ url: database.url, readUrl: null, connections: 2 });
    const clock = new ManualClock(NOON);
    const problems: StorageProblem[] = [];
    const captures = new PostgresCaptures({
      role: connections.records,
      clock,
      bytesMax,
      onProblem: (problem) => problems.push(problem),
    });
    context.after(async () => {
      await captures.close();
      await connections.close();
      await database.drop();
    });
    const days = async () => {
      const { rows } = await connections.query<{ name: string }>(
        "select relname as name from pg_class where relkind = 'r' and relname like 'bodies_%' order by 1",
      );
      return rows.map(({ name }) => name.slice('bodies_'.length));
    };
    return { captures, clock, problems, days, connections, database };
  };

  test(`PostgreSQL ${server}: bodies are written after a moment, to a partition per day of the call`, async (context) => {
    const { captures, clock, days } = await open(context);
    for (const at of [NOON - DAY_MS, NOON, NOON - DAY_MS, NOON]) captures.append(capture(at));
    clock.advance(250);
    await captures.heads();
    assert.deepEqual(await days(), ['2026_11_20', '2026_11_21']);
  });

  test(`PostgreSQL ${server}: a day of which nothing is kept is dropped, today's is not`, async (context) => {
    const { captures, clock, days } = await open(context);
    const [short, long] = [capture(NOON, { days: 1 }), capture(NOON, { days: 9, account: THEIRS })];
    for (const each of [short, long, capture(NOON - 2 * DAY_MS, { days: 3 })]) captures.append(each);
    await captures.deleteExpired(NOON, () => 9);
    assert.deepEqual(await days(), ['2026_11_19', '2026_11_21'], 'all of it expires tomorrow');
    clock.advance(DAY_MS);
    await captures.deleteExpired(clock.now(), () => 9);
    assert.deepEqual(await days(), ['2026_11_21']);
    assert.equal(await captures.read(MINE, short.callId), null);
    assert.deepEqual(await captures.read(THEIRS, long.callId), long);
    clock.advance(8 * DAY_MS);
    await captures.deleteExpired(clock.now(), () => 9);
    assert.deepEqual(await days(), []);
  });

  test(`PostgreSQL ${server}: an account's bodies are deleted, however many, and another's are kept`, async (context) => {
    const { captures } = await open(context);
    const mine = Array.from({ length: 600 }, (_, index) => capture(NOON - (index % 3) * DAY_MS));
    const theirs = capture(NOON, { account: THEIRS });
    for (const each of [...mine, theirs]) captures.append(each);
    await captures.heads();
    assert.equal(await captures.deleteOf(MINE), 600);
    assert.deepEqual(await captures.read(THEIRS, theirs.callId), theirs);
  });

  test(`PostgreSQL ${server}: the oldest days are dropped above the limit; if one day alone exceeds it, no more is stored, which is reported`, async (context) => {
    const { captures, days, problems } = await open(context, 3_000_000);
    const write = async (at: number, count: number) => {
      for (let index = 0; index < count; index += 1) captures.append(capture(at, { text: 'x'.repeat(100_000) }));
      await captures.heads();
    };
    await write(NOON - 2 * DAY_MS, 12);
    await write(NOON - DAY_MS, 12);
    await write(NOON, 24);
    assert.ok(!(await days()).includes('2026_11_19'));
    assert.equal(problems.length, 0);
    await write(NOON, 60);
    assert.deepEqual(await days(), ['2026_11_21']);
    const types = problems.map(({ type }) => type);
    assert.equal(types.at(0), 'captures_over_limit');
    assert.equal(types.filter((type) => type === 'captures_over_limit').length, 1);
    assert.ok(types.includes('captures_lost'));
    await write(NOON + DAY_MS, 1);
    assert.deepEqual(await days(), ['2026_11_22'], 'the next day displaces the old one');
  });

  test(`PostgreSQL ${server}: a dump without the schema "captures" has no bodies`, async (context) => {
    const program = server === 'configured' ? '' : join(programsOf(server), 'pg_dump');
    if (!existsSync(program)) return context.skip('pg_dump is not installed');
    const { captures, database } = await open(context);
    captures.append(capture(NOON, { text: 'canary' }));
    await captures.heads();
    const hex = Buffer.from('canary').toString('hex');
    const dump = (options: readonly string[]) =>
      execFileSync(program, ['--dbname', database.url, '--data-only', ...options], {
        encoding: 'utf8',
        maxBuffer: 100_000_000,
      });
    assert.ok(dump([]).includes(hex));
    for (const without of ['--exclude-table-data=captures.*', '--exclude-schema=captures'])
      assert.ok(!dump([without]).includes(hex));
  });
}

interface Given {
  readonly account?: AccountId;
  readonly days?: number;
  readonly text?: string;
}

function capture(at: number, { account = MINE, days = 7, text = 'sealed' }: Given = {}): SealedCapture {
  const sealed = new Uint8Array(Buffer.from(text));
  return { callId: newCallId(at), accountId: account, expiresAt: at + days * DAY_MS, sealed };
}
