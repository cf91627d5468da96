/**
 * Goal: an operator moves a ledger to PostgreSQL and back, learns what to set, and can serve only where it is. Method: the program as a process,
 * on a correct ledger and real servers.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { childEnvironment } from '../../../../test/support/child-environment.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { openConnections } from '../../../storage/postgres/engine/connections.ts';
import { openValidLedger, type ValidLedger } from '../../../storage/sqlite/verify/valid-ledger.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../cli.ts');

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

function run(cwd: string, line: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const environment = childEnvironment({ PATH: process.env['PATH'] ?? '', HOME: cwd, ...variables });
  return new Promise((done) => {
    execFile(process.execPath, [PROGRAM, ...line], { cwd, env: environment, timeout: 50_000 }, (error, out, notes) =>
      done({ code: error === null ? 0 : Number(error.code ?? 1), out, notes }),
    );
  });
}

/** With its secrets as files, as a server leaves it. */
async function closedLedger(): Promise<ValidLedger> {
  const ledger = await openValidLedger();
  const { storage, folder } = ledger.under;
  const secrets = { pepper: storage.secrets.pepper, 'sealing.key': storage.secrets.sealingKeys[0]?.secret };
  await storage.close();
  for (const [name, secret] of Object.entries(secrets))
    writeFileSync(join(folder, name), `${secret?.reveal()}\n`, { mode: 0o600 });
  return ledger;
}

async function rowsOf<Row extends object>(url: string, statement: string): Promise<readonly Row[]> {
  const connections = await openConnections({ url, readUrl: null, connections: 1 });
  try {
    return (await connections.query<Row>(statement)).rows;
  } finally {
    await connections.close();
  }
}

async function countTables(url: string): Promise<number> {
  const tables = "select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')";
  return (await rowsOf(url, tables)).length;
}

for (const server of serverNames.slice(0, 1))
  describe(`with PostgreSQL ${server}`, () => {
    let ledger: ValidLedger;
    let database: TestDatabase;
    let cwd: string;
    before(async () => {
      ledger = await closedLedger();
      database = await createEmptyDatabase(server);
      cwd = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
    });
    after(async () => {
      await database.drop();
      rmSync(ledger.under.folder, { recursive: true });
    });

    test('a ledger moves there and back; it is refused where it was, and nothing shows a password', async () => {
      const { folder } = ledger.under;
      const password = new URL(database.url).password;
      const there = await run(cwd, ['migrate', '--to', database.url, '--data', folder]);
      assert.equal(there.code, 0, there.notes);
      assert.match(
        there.out,
        /Moved \d+ rows .*\nThe ledger is correct: 2 accounts, 18 settlements, 9 entries, 0 holds/,
      );
      assert.match(there.out, /^Set DATABASE_URL to this database, then TURNPIKE_PEPPER to /m);
      assert.match(there.out, /TURNPIKE_PEPPER to the content of \S+\/pepper/);
      assert.match(there.notes, /Other users of this machine can see a password/);
      assert.ok(password !== '' && !`${there.out}${there.notes}`.includes(password));
      const refused = await run(cwd, ['ledger', 'verify', '--data', folder]);
      assert.equal(refused.code, 1);
      assert.match(
        refused.notes,
        /This ledger moved to the database \S+ at \S+ at .*Set DATABASE_URL to that database, .* turnpike migrate --to sqlite:<new folder> moves it back\./,
      );
      const secret = (name: string) => readFileSync(join(folder, name), 'utf8').slice(0, 64);
      const variables = {
        DATABASE_URL: database.url,
        TURNPIKE_PEPPER: secret('pepper'),
        TURNPIKE_SEALING_KEY: secret('sealing.key'),
      };
      const node = join(cwd, 'node');
      const home = join(cwd, 'home');
      const back = await run(cwd, ['migrate', '--to', `sqlite:${home}`, '--data', node], variables);
      assert.equal(back.code, 0, back.notes);
      assert.match(back.out, /The ledger is correct: 2 accounts, 18 settlements, 9 entries/);
      assert.ok(!`${back.out}${back.notes}`.includes(password));
      assert.deepEqual(
        readdirSync(home).filter((name) => /pepper|sealing|turnpike.db$/.test(name)),
        ['pepper', 'sealing.key', 'turnpike.db'],
      );
      for (const name of ['pepper', 'sealing.key', 'turnpike.db'])
        assert.equal(statSync(join(home, name)).mode & 0o777, 0o600, name);
      assert.equal(readFileSync(join(home, 'sealing.key'), 'utf8'), readFileSync(join(folder, 'sealing.key'), 'utf8'));
      const verified = await run(cwd, ['ledger', 'verify', '--data', home]);
      assert.match(verified.out, /The ledger is correct: 2 accounts, 18 settlements/);
      const again = await run(cwd, ['migrate', '--to', `sqlite:${home}`, '--data', node], variables);
      assert.match(again.out, /Everything had moved to/);
    });

    test('the database may be that of DATABASE_URL while the secrets are still in the folder', async () => {
      const fresh = await closedLedger();
      const { folder } = fresh.under;
      const target = await createEmptyDatabase(server);
      try {
        const variables = { DATABASE_URL: target.url };
        const moved = await run(cwd, ['migrate', '--to', 'postgres', '--data', folder], variables);
        assert.equal(moved.code, 0, moved.notes);
        assert.match(moved.out, /^Keep DATABASE_URL set\. Set TURNPIKE_PEPPER to /m);
        assert.match(moved.out, /TURNPIKE_SEALING_KEY to the first 64 digits of \S+\/sealing\.key/);
        const back = await run(cwd, ['migrate', '--to', `sqlite:${join(cwd, 'other')}`, '--data', folder], variables);
        assert.equal(back.code, 1);
        assert.match(back.notes, /environment TURNPIKE_PEPPER: pepper: must be set with a database/);
        const examined = await run(cwd, ['doctor', '--data', folder], variables);
        assert.match(examined.out, /^fail {2}secrets: environment TURNPIKE_PEPPER: pepper: must be set/m);
      } finally {
        await target.drop();
        rmSync(folder, { recursive: true });
      }
    });

    test('a pepper that the keys were not made with is refused before anything is copied', async () => {
      const fresh = await closedLedger();
      const { folder } = fresh.under;
      const target = await createEmptyDatabase(server);
      const other = { DATABASE_URL: target.url, TURNPIKE_PEPPER: '89abcdef'.repeat(8) };
      const tables = () => countTables(target.url);
      try {
        const refused = await run(cwd, ['migrate', '--to', 'postgres', '--data', folder], other);
        assert.equal(refused.code, 1, refused.out);
        assert.match(
          refused.notes,
          /TURNPIKE_PEPPER \(pepper\) is another one than that in \S+\/pepper\..*Unset TURNPIKE_PEPPER/,
        );
        assert.ok(!refused.notes.includes(other.TURNPIKE_PEPPER));
        assert.equal(await tables(), 0);
        const pepper = readFileSync(join(folder, 'pepper'), 'utf8').trim();
        rmSync(join(folder, 'pepper'));
        const lost = await run(cwd, ['migrate', '--to', target.url, '--data', folder]);
        assert.equal(lost.code, 1, lost.out);
        assert.match(lost.notes, /there is no file \S+\/pepper, and TURNPIKE_PEPPER \(pepper\) is not set/);
        assert.equal(await tables(), 0);
        const same = { ...other, TURNPIKE_PEPPER: pepper, TURNPIKE_SEALING_KEY: '01234567'.repeat(8) };
        const moved = await run(cwd, ['migrate', '--to', 'postgres', '--data', folder], same);
        assert.equal(moved.code, 0, moved.notes);
        assert.match(
          moved.out,
          /Set TURNPIKE_PEPPER to what it is set to now\nand TURNPIKE_SEALING_KEY to what it is set to now/,
        );
        const keys = await rowsOf<{ count: bigint }>(target.url, 'select count(*) as count from sealing_keys');
        assert.equal(keys[0]?.count, 2n, 'what the key of the folder sealed can be read');
      } finally {
        await target.drop();
        rmSync(folder, { recursive: true });
      }
    });

    test('what cannot move is said, and changes nothing', async () => {
      const fresh = await closedLedger();
      const { folder } = fresh.under;
      const used = await createDatabase(server);
      const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
        [['migrate'], 2, /needs --to/],
        [['migrate', '--to', 'mysql://here'], 2, /neither postgres, postgres:.* nor sqlite:/],
        [['migrate', '--to', 'postgres'], 2, /DATABASE_URL, and it is not set/],
        [['migrate', '--to', 'sqlite:'], 2, /--to sqlite: names no folder; give one that does not exist yet/],
        [['migrate', '--to', 'sqlite:elsewhere'], 2, /DATABASE_URL names, and it is not set/],
        [['migrate', '--to', 'postgres://nobody@127.0.0.1:1/none'], 1, /127\.0\.0\.1:1, .*correct --to\./],
      ];
      for (const [line, code, says] of cases) {
        const ran = await run(cwd, [...line, '--data', folder]);
        assert.equal(ran.code, code, `${line}: ${ran.notes}`);
        assert.match(ran.notes, says);
      }
      fresh.corrupt('UPDATE balances SET balance_nano = balance_nano + 1 WHERE account_id = 1');
      const wrong = await run(cwd, ['migrate', '--to', used.url, '--data', folder]);
      assert.match(wrong.notes, /balance_is_the_sum {2}account 1.*only a correct one moves/s);
      fresh.corrupt('UPDATE balances SET balance_nano = balance_nano - 1 WHERE account_id = 1');
      assert.equal((await run(cwd, ['ledger', 'verify', '--data', folder])).code, 0);
      assert.ok(!existsSync(join(cwd, 'elsewhere')));
      await used.drop();
      rmSync(folder, { recursive: true });
    });
  });
