/**
 * Goal: reports of a replica are those of this installation, and whatever is wrong with it is a sentence that names it, once; the ledger is
 * verified all the same. Method: a primary and its standby, real servers, and addresses that lead elsewhere.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { dataPlace } from '../../../../test/support/postgres/data-place.ts';
import { createDatabaseAt, execute, type TestDatabase } from '../../../../test/support/postgres/database.ts';
import { installedMajors } from '../../../../test/support/postgres/installations.ts';
import { Standby } from '../../../../test/support/postgres/standby.ts';
import { type PostgresServer, startServer } from '../../../../test/support/postgres/start-server.ts';
import { ledgerRulesModule } from '../../../billing/ledger-rules.ts';
import { systemClock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { callsQuery, fillCalls } from '../../contract/stats-rows.ts';
import { openConnections } from '../engine/connections.ts';
import { type PostgresJobSetting, runPostgresJob } from '../maintenance/maintenance-job.ts';
import { openReportsOn, type ReportsUnderTest } from '../reports/reports-under-test.ts';
import { CheckedReplica, type ReplicaAddress } from './checked-replica.ts';
import { Replica } from './replica.ts';

for (const major of installedMajors().slice(0, 1))
  describe(`with a standby of PostgreSQL ${major}`, () => {
    let primary: PostgresServer;
    let standby: Standby;
    let database: TestDatabase;
    let other: TestDatabase;
    let ledger: TestDatabase;
    let folder: string;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
      primary = await startServer(major, [], dataPlace());
      database = await createDatabaseAt(primary.url);
      other = await createDatabaseAt(primary.url);
      ledger = await createDatabaseAt(primary.url);
      standby = await Standby.start(primary, [], dataPlace());
    });
    after(async () => {
      await standby.stop();
      await primary.stop();
      rmSync(folder, { recursive: true });
    });

    const open = async (context: TestContext, readUrl: string): Promise<ReportsUnderTest> => {
      // A standby is behind in real time.
      const parts = { readUrl, clock: systemClock };
      const subject = await openReportsOn({ ...database, drop: async () => undefined }, parts);
      context.after(() => subject.dispose());
      return subject;
    };

    test('a report waits for what was just written, and is read at the standby', async (context) => {
      const subject = await open(context, standby.urlOf(database.url));
      const [record] = await fillCalls(subject, 3);
      assert.ok(record);
      assert.deepEqual(await subject.calls.stats.call(record.callId), record);
      assert.deepEqual(subject.problems, []);
      const reader = `select 1 / (count(*) > 0)::int from pg_stat_activity
        where application_name = 'turnpike reports' and query = 'rollback' and datname = '${database.name}'`;
      await execute(standby.url, reader);
      await assert.rejects(execute(primary.url, reader), /division by zero/);
    });

    test('another database of the same server, and one of another server, are refused with a sentence, once', async (context) => {
      const elsewhere = await startServer(major, [], dataPlace());
      context.after(() => elsewhere.stop());
      for (const readUrl of [other.url, standby.urlOf(other.url), elsewhere.url]) {
        const subject = await open(context, readUrl);
        for (let asked = 0; asked < 3; asked += 1)
          await assert.rejects(subject.calls.stats.calls(callsQuery({ limit: 9 })), isUnavailable);
        await assert.rejects(everyCall(subject), isUnavailable);
        const { host, pathname } = new URL(readUrl);
        assert.deepEqual(complaints(subject), [
          `The database ${pathname.slice(1)} at ${host}, which database.readUrl (TURNPIKE_DATABASE_READ_URL) names, is no replica of that of ` +
            'database.url (DATABASE_URL): reports would show the numbers of another one. Let it name a streaming standby of that server, or remove it.',
        ]);
      }
    });

    test('a replica that is away is named once, also before the first report', async (context) => {
      const readUrl = Object.assign(new URL(standby.urlOf(database.url)), { port: '1' }).href;
      const subject = await open(context, readUrl);
      const sentence =
        'Nothing listens at 127.0.0.1:1, where the replica for reports is expected. Start PostgreSQL, or correct database.readUrl (TURNPIKE_DATABASE_READ_URL).';
      const { connections } = subject;
      const replica = await Replica.open({ connections, url: database.url, readUrl, clock: systemClock });
      assert.equal(await replica.complaint(), sentence);
      for (let asked = 0; asked < 3; asked += 1)
        await assert.rejects(subject.calls.stats.calls(callsQuery({ limit: 9 })), isUnavailable);
      assert.deepEqual(complaints(subject), [sentence]);
    });

    test('a database that was restored meanwhile has a replica of its own', async () => {
      const connections = await openConnections({ url: database.url, readUrl: null, connections: 1 });
      try {
        const { address } = await Replica.open({
          connections,
          url: database.url,
          readUrl: standby.urlOf(database.url),
          clock: systemClock,
        });
        const restored = { ...address, of: { ...address.of, identity: { database: 'what it was', timeline: null } } };
        assert.equal(await complaintOf(restored), null);
        const away = { ...restored.of, url: Object.assign(new URL(database.url), { port: '1' }).href };
        assert.match((await complaintOf({ ...address, of: away })) ?? '', /is no replica/);
        assert.equal(await complaintOf({ ...address, of: { ...address.of, url: away.url } }), null);
      } finally {
        await connections.close();
      }
    });

    test('the ledger is verified at the standby, and at the database with a note if the standby cannot be used', async () => {
      const connections = await openConnections({ url: ledger.url, readUrl: null, connections: 1 });
      const of = (readUrl: string) => Replica.open({ connections, url: ledger.url, readUrl, clock: systemClock });
      const noteOf = async (readUrl: string) => {
        const setting: PostgresJobSetting = {
          ...{ url: ledger.url, replica: (await of(readUrl)).address, folder, billingMode: 'prepaid' },
          ...{ longestCallMs: 3_600_000, version: '1.2.3', rulesModule: ledgerRulesModule, nowMs: 0 },
          secrets: { pepper: 'a'.repeat(64), masterKey: 'b'.repeat(64) },
        };
        const verified = await runPostgresJob('verify', { archive: true }, setting);
        assert.equal(verified.violationCount, 0);
        const query = { fromMs: 0, toMs: 1, accountId: null, cursor: null, limit: 1 };
        const { note } = await runPostgresJob('transfers', query, setting);
        assert.equal((await runPostgresJob('check', null, setting)).violations.length, 0);
        // A connection that was cut says why only to the statement that ran.
        assert.equal(withoutCause(note), withoutCause(verified.note));
        return note;
      };
      try {
        const readUrl = standby.urlOf(ledger.url);
        assert.equal(await noteOf(readUrl), undefined);
        const away = Object.assign(new URL(readUrl), { port: '1' }).href;
        assert.match(
          (await noteOf(away)) ?? '',
          /^Read from the database instead of the replica\. Nothing listens at 127\.0\.0\.1:1, .* database\.readUrl/,
        );
        assert.match((await noteOf(other.url)) ?? '', /^Read from the database .* is no replica of that of/);
        const interrupted = `${readUrl}?options=${encodeURIComponent('-c transaction_timeout=1')}`;
        assert.match(
          (await noteOf(interrupted)) ?? '',
          /^Read from the database .* database\.readUrl .*(timeout|connection error)/,
        );
      } finally {
        await connections.close();
      }
    });
  });

function withoutCause(note: string | undefined): string | undefined {
  return note?.replace(/cannot be used: .*/, 'cannot be used');
}

function complaintOf(address: ReplicaAddress): Promise<string | null> {
  return new CheckedReplica(address).complaint();
}

function complaints({ problems }: ReportsUnderTest): readonly string[] {
  return problems.map(({ type, cause }) => {
    assert.equal(type, 'replica_unusable');
    return (cause as Error).message;
  });
}

async function everyCall({ calls }: ReportsUnderTest): Promise<void> {
  const { before: _before, limit: _limit, ...all } = callsQuery();
  await Array.fromAsync(calls.stats.allCalls(all));
}

function isUnavailable(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'shedding' && /cannot be reached/.test(error.message);
}
