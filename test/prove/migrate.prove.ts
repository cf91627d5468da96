/**
 * Moves a random ledger of 100,000 settlements, with entries, keys, an audit log and sealed months, from a data folder to PostgreSQL, and back to
 * another folder: the rules hold at each place, with the same counts, and every row that came back is the row that left.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { moveLedgerToDatabase, moveLedgerToFolder } from '../../src/app/move/move-ledger.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { Secret } from '../../src/core/secret.ts';
import { copiedTables } from '../../src/storage/move/copied-tables.ts';
import { readLines } from '../../src/storage/move/read-sqlite-rows.ts';
import { RowDigest } from '../../src/storage/move/row-digest.ts';
import { DATABASE_URL } from '../../src/storage/postgres/engine/explain-connection.ts';
import { createEmptyDatabase } from '../support/postgres/database.ts';
import { allServerNames } from '../support/postgres/servers.ts';
import { prove } from './support/prove.ts';
import { makeRandomLedger } from './support/random-ledger.ts';
import { countFrom } from './support/seeded.ts';

const SECRETS = { TURNPIKE_PEPPER: '0123456789abcdef'.repeat(4), TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4) };

await prove('migrate', async (seed) => {
  const calls = countFrom('TURNPIKE_PROVE_MIGRATE_CALLS', 100_000);
  const root = await mkdtemp(join(tmpdir(), 'turnpike-prove-'));
  const figures: string[] = [];
  try {
    const home = join(root, 'home');
    const made = await makeRandomLedger(home, calls, seed);
    const before = digestsOf(home);
    const path = join(home, 'turnpike.db');
    for (const server of allServerNames) {
      const database = await createEmptyDatabase(server);
      try {
        const configOf = (folder: string) =>
          loadConfig({ flags: { data: folder }, environment: { ...SECRETS, DATABASE_URL: database.url }, cwd: root })
            .config;
        const quiet = { url: new Secret(database.url), option: DATABASE_URL, to: 'there', onProgress: () => undefined };
        // As a server with these secrets leaves its folder.
        await writeFile(join(home, 'pepper'), `${SECRETS.TURNPIKE_PEPPER}\n`, { mode: 0o600 });
        const [away, awayS] = await timed(() => moveLedgerToDatabase({ config: configOf(home), ...quiet }));
        assert.ok(away !== null);
        const folder = join(root, `back-${server}`);
        const [back, backS] = await timed(() => moveLedgerToFolder({ config: configOf(home), ...quiet }, folder));
        assert.ok(back !== null);
        for (const { verified } of [away, back]) {
          assert.deepEqual(verified.violations, []);
          assert.deepEqual(
            [verified.settlements, verified.entries, verified.archives],
            [made.settlements, made.entries, made.sealed.length],
          );
        }
        assert.deepEqual(digestsOf(folder), before);
        figures.push(`PostgreSQL ${server}: ${back.rows} rows there in ${awayS} s, back in ${backS} s`);
      } finally {
        await database.drop();
      }
      // The next server gets the same ledger.
      const ledger = new DatabaseSync(path);
      ledger.exec("DELETE FROM facts WHERE name = 'moved'");
      ledger.close();
    }
    assert.ok(figures.length > 0, 'there is no PostgreSQL to move to');
    return `${made.settlements} settlements, ${made.entries} entries, ${made.sealed.length} sealed months, every row the same; ${figures.join('; ')}`;
  } finally {
    await rm(root, { recursive: true });
  }
});

async function timed<Result>(work: () => Promise<Result>): Promise<readonly [Result, string]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, ((performance.now() - startedAt) / 1000).toFixed(1)];
}

/** Of every table of a folder's ledger, in the order of its key. */
function digestsOf(folder: string): Readonly<Record<string, string>> {
  const database = new DatabaseSync(join(folder, 'turnpike.db'), { readOnly: true });
  try {
    return Object.fromEntries(
      copiedTables(database).map(({ name, columns, key }) => {
        const digest = new RowDigest();
        const order = key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`;
        const select = `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name}${order}`;
        for (const _piece of readLines(database, { select, digest }));
        return [name, `${digest.rows} ${digest.text()}`];
      }),
    );
  } finally {
    database.close();
  }
}
