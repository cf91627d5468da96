/**
 * The ledger as it is in the database file, read apart from the program and without its code: sums are computed again
 * here, from the rows, so that a mistake in the program's own sums cannot hide.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isCharged } from '../../../src/billing/charge.ts';
import { callIdFromBytes, generationId } from '../../../src/core/ids.ts';
import type { Ending } from '../../../src/core/settlement.ts';
import type { UsageSource } from '../../../src/core/usage.ts';
import { endingCodes, endingOf, usageSourceOf } from '../../../src/storage/sql/codes.ts';

export interface SettledCall {
  /** As the caller knows it: `gen-…`. */
  readonly id: string;
  readonly operation: string;
  readonly ending: Ending;
  readonly usageSource: UsageSource;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly units: number;
  /** All in nano-USD. */
  readonly cost: bigint | null;
  readonly charge: bigint;
  readonly hold: bigint | null;
  readonly fault: bigint;
  readonly variance: bigint;
}

export interface Totals {
  /** Nano-USD, of all accounts together. */
  readonly balance: bigint;
  readonly entries: bigint;
  readonly charges: bigint;
  /** Of the holds that are open. */
  readonly held: bigint;
  readonly openHolds: number;
  readonly settlements: number;
}

export class LedgerFile {
  readonly #database: DatabaseSync;

  constructor(dataFolder: string) {
    this.#database = new DatabaseSync(join(dataFolder, 'turnpike.db'), { readOnly: true, timeout: 5_000 });
    // A consistent snapshot, however much is written meanwhile.
    this.#database.exec('BEGIN');
  }

  settlements(): SettledCall[] {
    return this.#rowsOf('settlements');
  }

  /** Open ones: what applies to each if the process dies now. */
  holds(): SettledCall[] {
    return this.#rowsOf('holds');
  }

  /** Digests, in hexadecimal, of the ids of what providers keep. */
  stored(): ReadonlySet<string> {
    const rows = this.#database.prepare('SELECT digest FROM stored_ids').all();
    return new Set(rows.map((row) => Buffer.from(row['digest'] as Uint8Array).toString('hex')));
  }

  totals(): Totals {
    return {
      balance: this.#sum('SELECT sum(balance_nano) FROM balances'),
      entries: this.#sum('SELECT sum(amount_nano) FROM entries'),
      charges: this.#sum('SELECT sum(charge_nano) FROM settlements WHERE hold_nano IS NOT NULL'),
      held: this.#sum('SELECT sum(hold_nano) FROM holds'),
      openHolds: Number(this.#sum('SELECT count(*) FROM holds')),
      settlements: Number(this.#sum('SELECT count(*) FROM settlements')),
    };
  }

  /** Throws where balances, holds, charges and sums do not agree; of a prepaid installation. */
  check(): Totals {
    const totals = this.totals();
    assert.equal(this.#text('PRAGMA integrity_check'), 'ok');
    assert.equal(totals.balance, totals.entries - totals.charges, 'balance = entries − charges');
    assert.ok(totals.balance - totals.held >= 0n, `available ${totals.balance - totals.held} ≥ 0`);
    assert.equal(this.#sum('SELECT sum(credited_nano) - sum(charged_nano) FROM balances'), totals.balance);
    assert.equal(this.#sum(WRONG_SHARES), 0n, 'charge + variance + node loss = the cost at its rate, or fault = cost');
    assert.equal(this.#sum('SELECT count(*) FROM settlements WHERE charge_nano NOT BETWEEN 0 AND hold_nano'), 0n);
    assert.equal(this.#sum('SELECT count(*) FROM holds JOIN settlements USING (call_id)'), 0n, 'settled and held');
    for (const [table, span] of [
      ['rollups_hour', 3_600_000],
      ['rollups_day', 86_400_000],
    ] as const) {
      assert.equal(this.#sum(differing(summedUp(span), kept(table))), 0n, `${table} misses settlements`);
      assert.equal(this.#sum(differing(kept(table), summedUp(span))), 0n, `${table} has more than the settlements`);
    }
    return totals;
  }

  close(): void {
    this.#database.close();
  }

  #rowsOf(table: 'settlements' | 'holds'): SettledCall[] {
    const statement = this.#database.prepare(
      `SELECT call_id, (SELECT name FROM names WHERE names.id = operation) AS operation, ending, usage_source, input_tokens, output_tokens, units, cost_nano, charge_nano, hold_nano, fault_nano, variance_nano
       FROM ${table}`,
    );
    statement.setReadBigInts(true);
    return statement.all().map((row) => ({
      id: generationId(callIdFromBytes(row['call_id'] as Uint8Array)),
      operation: String(row['operation']),
      ending: endingOf(Number(row['ending'])),
      usageSource: usageSourceOf(Number(row['usage_source'])),
      inputTokens: Number(row['input_tokens']),
      outputTokens: Number(row['output_tokens']),
      units: Number(row['units']),
      cost: row['cost_nano'] as bigint | null,
      charge: row['charge_nano'] as bigint,
      hold: row['hold_nano'] as bigint | null,
      fault: row['fault_nano'] as bigint,
      variance: row['variance_nano'] as bigint,
    }));
  }

  #sum(sql: string): bigint {
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    const [value] = Object.values(statement.get() ?? {});
    return (value as bigint | null) ?? 0n;
  }

  #text(sql: string): unknown {
    return Object.values(this.#database.prepare(sql).get() ?? {})[0];
  }
}

/** Opens, looks and closes. */
export function inLedger<Seen>(dataFolder: string, look: (file: LedgerFile) => Seen): Seen {
  const file = new LedgerFile(dataFolder);
  try {
    return look(file);
  } finally {
    file.close();
  }
}

const CHARGED = (Object.keys(endingCodes) as Ending[])
  .filter(isCharged)
  .map((ending) => endingCodes[ending])
  .join(', ');

const WRONG_SHARES = `SELECT count(*) FROM settlements
  WHERE hold_nano IS NOT NULL AND charge_nano + fault_nano + variance_nano + node_loss_nano <>
    iif(fault_nano <> 0, cost_nano, iif(ending IN (${CHARGED}), (coalesce(cost_nano, 0) * (1000000 + markup_ppm) + 999999) / 1000000,
      iif(own_credential, 0, coalesce(cost_nano, 0))))`;

function summedUp(spanMs: number): string {
  return `SELECT admitted_at / ${spanMs} AS start, account_id, project_id, key_id, model, provider, count(*),
    sum(input_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + input_audio_tokens),
    sum(output_tokens + output_audio_tokens), coalesce(sum(cost_nano), 0), sum(charge_nano),
    coalesce(sum(cost_nano * own_credential), 0)
    FROM settlements GROUP BY 1, 2, 3, 4, 5, 6`;
}

function kept(table: string): string {
  return `SELECT start, account_id, project_id, key_id, model, provider, calls, prompt_tokens, completion_tokens, cost_nano, charge_nano, own_cost_nano FROM ${table}`;
}

function differing(one: string, other: string): string {
  return `SELECT count(*) FROM (SELECT * FROM (${one}) EXCEPT SELECT * FROM (${other}))`;
}
