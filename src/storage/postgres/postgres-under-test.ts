/** A PostgreSQL storage in a database of its own, with a journal in a temporary folder, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, type TestDatabase } from '../../../test/support/postgres/database.ts';
import type { ServerName } from '../../../test/support/postgres/servers.ts';
import { type Clock, ManualClock, systemClock, type Timer } from '../../core/clock.ts';
import { Secret } from '../../core/secret.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { Rollup, StorageUnderTest } from '../contract/storage-under-test.ts';
import { decodeBatch } from '../journal/decode-batch.ts';
import { journalPath } from '../journal/journal-database.ts';
import type { NamedSettlementRow } from '../sql/ledger/settlement-columns.ts';
import { readSettlement, selectSettlements } from '../sql/ledger/settlement-rows.ts';
import { lendBallast } from '../sqlite/engine/lent-ballast.ts';
import type { DatabaseOptions, Storage, StorageOptions, StorageProblem } from '../storage.ts';
import { openConnections } from './engine/connections.ts';
import type { Queryable } from './engine/role.ts';
import { sharedTypes } from './engine/value-types.ts';
import { openPostgres } from './open-postgres.ts';

type PostgresOptions = StorageOptions & { readonly database: DatabaseOptions };

export const SECRETS_UNDER_TEST = {
  pepper: new Secret('0123456789abcdef'.repeat(4)),
  sealingKey: new Secret('fedcba9876543210'.repeat(4)),
};

export class PostgresUnderTest implements StorageUnderTest {
  readonly storage: Storage;
  readonly clock: ManualClock;
  readonly problems: StorageProblem[];
  readonly folder: string;
  /** Of the database, with its password. */
  readonly url: string;
  readonly #made: TestDatabase;
  readonly #options: PostgresOptions;
  #isClosed = false;

  constructor(
    storage: Storage,
    made: TestDatabase,
    options: PostgresOptions,
    clock: ManualClock,
    problems: StorageProblem[],
  ) {
    this.storage = storage;
    this.clock = clock;
    this.problems = problems;
    this.folder = options.folder;
    this.url = made.url;
    this.#made = made;
    this.#options = options;
  }

  settlements(): Promise<readonly Settlement[]> {
    return this.read(async (connection) => {
      const text = `${selectSettlements(null)} order by settled.call_id`;
      const { rows } = await connection.query<NamedSettlementRow>({ text, types: sharedTypes });
      return rows.map((row) => readSettlement(row));
    });
  }

  /** They are in the node's journal only. */
  async holds(): Promise<readonly Settlement[]> {
    const journal = new DatabaseSync(journalPath(this.folder), { readOnly: true });
    try {
      const rows = journal.prepare('SELECT batch FROM holds ORDER BY call_id').all();
      return rows.flatMap(({ batch }) =>
        decodeBatch(batch as Uint8Array).settlements.map(({ settlement }) => settlement),
      );
    } finally {
      journal.close();
    }
  }

  rollups(span: 'hour' | 'day'): Promise<readonly Rollup[]> {
    return this.read(async (connection) => {
      const { rows } = await connection.query<Rollup>({ text: rollupsOf(span), types: sharedTypes });
      return rows.map((row) => ({ ...row, cost: BigInt(row.cost), charge: BigInt(row.charge) }));
    });
  }

  /** On a connection of its own. */
  async read<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    const connections = await openConnections({ url: this.url, readUrl: null, connections: 1 });
    try {
      return await work(connections);
    } finally {
      await connections.close();
    }
  }

  async reopen(): Promise<PostgresUnderTest> {
    await this.#close();
    return new PostgresUnderTest(
      await openPostgres(this.#options),
      this.#made,
      this.#options,
      this.clock,
      this.problems,
    );
  }

  async dispose(): Promise<void> {
    await this.#close();
    await this.#made.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Closes once: a test that fails after reopening disposes of the first storage again. */
  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.storage.close();
  }
}

function rollupsOf(span: 'hour' | 'day'): string {
  return `select start, account_id as "accountId", project_id as "projectId", key_id as "keyId", model.name as model,
      provider.name as provider, sum(calls) as calls, sum(failed) as failed, sum(prompt_tokens) as "promptTokens",
      sum(completion_tokens) as "completionTokens", sum(cached_tokens) as "cachedTokens", sum(reasoning_tokens) as "reasoningTokens",
      cast(sum(cost_nano) as text) as cost, cast(sum(charge_nano) as text) as charge
    from rollups_${span} join names as model on model.id = rollups_${span}.model
      join names as provider on provider.id = rollups_${span}.provider
    group by start, account_id, project_id, key_id, model.name, provider.name`;
}

/** Wall time is the test's; timers also fire by themselves, because a server answers in its own time. */
function withRealTimers(clock: ManualClock): Clock {
  const first = (start: (of: Clock, run: () => void) => Timer, run: () => void, isOnce: boolean): Timer => {
    const timers: Timer[] = [];
    const cancel = () => {
      for (const timer of timers) timer.cancel();
    };
    const fire = () => {
      if (isOnce) cancel();
      run();
    };
    timers.push(start(clock, fire), start(systemClock, fire));
    return { cancel };
  };
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + systemClock.monotonic(),
    after: (delayMs, run) => first((of, fire) => of.after(delayMs, fire), run, true),
    every: (periodMs, run) => first((of, fire) => of.every(periodMs, fire), run, false),
  };
}

export async function openPostgresUnderTest(
  server: ServerName,
  changes: Partial<PostgresOptions> = {},
  make: typeof createDatabase = createDatabase,
): Promise<PostgresUnderTest> {
  const made = await make(server);
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const problems: StorageProblem[] = [];
  const options: PostgresOptions = {
    folder: mkdtempSync(join(tmpdir(), 'turnpike-test-')),
    clock: withRealTimers(clock),
    // What was committed is in the database when a test looks.
    durability: 'database',
    database: {
      url: new Secret(made.url),
      readUrl: null,
      connections: 4,
      nodeName: 'one',
      settings: { 'billing.mode': 'prepaid' },
      role: 'node',
    },
    recordsBytesMax: 1_000_000_000,
    // A busy machine starts the threads of reports slowly, which these tests are not about.
    reports: { deadlineMs: 60_000 },
    givenSecrets: SECRETS_UNDER_TEST,
    maintenance: {
      billingMode: 'prepaid',
      longestCallMs: 3_600_000,
      version: '1.2.3',
      rulesModule: import.meta.resolve('../../billing/ledger-rules.ts'),
    },
    onProblem: (problem) => problems.push(problem),
    ...changes,
  };
  lendBallast(options.folder);
  return new PostgresUnderTest(await openPostgres(options), made, options, clock, problems);
}
