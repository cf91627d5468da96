/** The storage of one node on PostgreSQL, for tests of its ledger. Timers run by the system's clock, dates by the test's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, type TestDatabase } from '../../../../test/support/postgres/database.ts';
import type { ServerName } from '../../../../test/support/postgres/servers.ts';
import { ManualClock, systemClock } from '../../../core/clock.ts';
import { Secret } from '../../../core/secret.ts';
import type { Settlement } from '../../../core/settlement.ts';
import type { Rollup, StorageUnderTest } from '../../contract/storage-under-test.ts';
import { decodeBatch } from '../../journal/decode-batch.ts';
import { journalPath } from '../../journal/journal-database.ts';
import type { NamedSettlementRow } from '../../sql/ledger/settlement-columns.ts';
import { readSettlement, selectSettlements } from '../../sql/ledger/settlement-rows.ts';
import type { Storage, StorageOptions, StorageProblem } from '../../storage.ts';
import { openConnections, type PostgresConnections } from '../engine/connections.ts';
import { sharedTypes } from '../engine/value-types.ts';
import { openPostgres } from '../open-postgres.ts';
import { SECRETS_UNDER_TEST } from '../postgres-under-test.ts';

interface Parts {
  readonly made: TestDatabase;
  readonly options: StorageOptions;
  readonly clock: ManualClock;
  readonly problems: StorageProblem[];
  /** Of the test itself. */
  readonly connections: PostgresConnections;
}

export class LedgerUnderTest implements StorageUnderTest {
  readonly storage: Storage;
  readonly #parts: Parts;
  #isClosed = false;

  constructor(storage: Storage, parts: Parts) {
    this.storage = storage;
    this.#parts = parts;
  }

  get clock(): ManualClock {
    return this.#parts.clock;
  }

  get problems(): readonly StorageProblem[] {
    return this.#parts.problems;
  }

  get connections(): PostgresConnections {
    return this.#parts.connections;
  }

  async settlements(): Promise<readonly Settlement[]> {
    const text = `${selectSettlements('public')} ORDER BY call_id`;
    const { rows } = await this.connections.control.query<NamedSettlementRow>({ text, types: sharedTypes });
    return rows.map(readSettlement);
  }

  /** They are in the journal. */
  async holds(): Promise<readonly Settlement[]> {
    const database = new DatabaseSync(journalPath(this.#parts.options.folder), { readOnly: true });
    const rows = database.prepare('SELECT batch FROM holds ORDER BY call_id').all();
    database.close();
    return rows.flatMap(({ batch }) =>
      decodeBatch(batch as Uint8Array).settlements.map(({ settlement }) => settlement),
    );
  }

  async rollups(span: 'hour' | 'day'): Promise<readonly Rollup[]> {
    const text = `SELECT start, account_id AS "accountId", project_id AS "projectId", key_id AS "keyId", model.name AS model,
        provider.name AS provider, ${SUMS.map(([name, field]) => `sum(${name})::bigint AS "${field}"`).join(', ')},
        sum(cost_nano)::text AS cost, sum(charge_nano)::text AS charge
      FROM rollups_${span} JOIN names AS model ON model.id = model JOIN names AS provider ON provider.id = provider
      GROUP BY 1, 2, 3, 4, 5, 6`;
    const { rows } = await this.connections.control.query<Rollup>({ text, types: sharedTypes });
    return rows.map((row) => ({ ...row, cost: BigInt(row.cost), charge: BigInt(row.charge) }));
  }

  async reopen(): Promise<LedgerUnderTest> {
    await this.#close();
    return new LedgerUnderTest(await openPostgres(this.#parts.options), this.#parts);
  }

  async dispose(): Promise<void> {
    await this.#close();
    await this.connections.close();
    await this.#parts.made.drop();
    rmSync(this.#parts.options.folder, { recursive: true, force: true });
  }

  /** Closes once: a test that fails after reopening disposes of the first storage again. */
  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.storage.close();
  }
}

const SUMS = [
  ['calls', 'calls'],
  ['failed', 'failed'],
  ['prompt_tokens', 'promptTokens'],
  ['completion_tokens', 'completionTokens'],
  ['cached_tokens', 'cachedTokens'],
  ['reasoning_tokens', 'reasoningTokens'],
] as const;

export async function openLedgerUnderTest(
  server: ServerName,
  changes: Partial<StorageOptions> = {},
): Promise<LedgerUnderTest> {
  const made = await createDatabase(server);
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const problems: StorageProblem[] = [];
  const url = new Secret(made.url);
  const options: StorageOptions = {
    folder: mkdtempSync(join(tmpdir(), 'turnpike-test-')),
    clock: { ...systemClock, now: () => clock.now() },
    // What was committed is in the database when a test looks.
    durability: 'database',
    database: { url, readUrl: null, connections: 4, nodeName: 'node-a', role: 'node' },
    recordsBytesMax: 1_000_000_000,
    givenSecrets: SECRETS_UNDER_TEST,
    maintenance: {
      billingMode: 'prepaid',
      longestCallMs: 3_600_000,
      version: '1.2.3',
      rulesModule: import.meta.resolve('../../../billing/ledger-rules.ts'),
    },
    onProblem: (problem) => problems.push(problem),
    ...changes,
  };
  const storage = await openPostgres(options);
  const connections = await openConnections({ url: made.url, readUrl: null, connections: 2 });
  return new LedgerUnderTest(storage, { made, options, clock, problems, connections });
}
