/** What the ledger in PostgreSQL says, read directly, for proofs; the program may run. */
import assert from 'node:assert/strict';
import pg from 'pg';
import { isCharged } from '../../../../src/billing/charge.ts';
import { callIdFromBytes, generationId } from '../../../../src/core/ids.ts';
import type { Ending } from '../../../../src/core/settlement.ts';
import { endingCodes, endingOf, usageSourceOf } from '../../../../src/storage/sql/codes.ts';
import type { SettledCall } from '../ledger-file.ts';

export interface SharedTotals {
  /** Nano-USD, of all accounts together. */
  readonly free: bigint;
  readonly entries: bigint;
  /** Of settlements with a hold. */
  readonly charges: bigint;
  /** Lent from balances and not spent. */
  readonly lent: bigint;
  readonly nodeLoss: bigint;
  readonly settlements: number;
}

export class LedgerDatabase {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** In one snapshot until it is closed. */
  static async open(url: string): Promise<LedgerDatabase> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin isolation level repeatable read read only');
    return new LedgerDatabase(client);
  }

  async settlements(): Promise<readonly SettledCall[]> {
    const { rows } = await this.#client.query(
      `select call_id, (select name from names where names.id = operation) as operation, ending, usage_source, input_tokens,
              output_tokens, units, cost_nano, charge_nano, hold_nano, fault_nano, variance_nano
       from settlements`,
    );
    return rows.map((row) => ({
      id: generationId(callIdFromBytes(row.call_id)),
      operation: String(row.operation),
      ending: endingOf(Number(row.ending)),
      usageSource: usageSourceOf(Number(row.usage_source)),
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      units: Number(row.units),
      cost: row.cost_nano === null ? null : BigInt(row.cost_nano),
      charge: BigInt(row.charge_nano),
      hold: row.hold_nano === null ? null : BigInt(row.hold_nano),
      fault: BigInt(row.fault_nano),
      variance: BigInt(row.variance_nano),
    }));
  }

  /** Digests, in hexadecimal, of the ids of what providers keep. */
  async stored(): Promise<ReadonlySet<string>> {
    const { rows } = await this.#client.query(`select encode(digest, 'hex') as digest from stored_ids`);
    return new Set(rows.map(({ digest }) => digest));
  }

  async totals(): Promise<SharedTotals> {
    return {
      free: await this.sum('select sum(free_nano) from funds'),
      entries: await this.sum('select sum(amount_nano) from entries'),
      charges: await this.sum('select sum(charge_nano) from settlements where hold_nano is not null'),
      lent: await this.sum('select sum(granted_nano - spent_nano) from leases where kind = 0'),
      nodeLoss: await this.sum('select sum(node_loss_nano) from settlements'),
      settlements: Number(await this.sum('select count(*) from settlements')),
    };
  }

  /** Throws where balances, leases, charges and sums do not agree; of a prepaid installation. */
  async check(): Promise<SharedTotals> {
    const totals = await this.totals();
    assert.equal(totals.free + totals.lent, totals.entries - totals.charges, 'free + lent = entries − charges');
    assert.equal(await this.sum('select count(*) from funds where free_nano < 0'), 0n, 'no balance is below zero');
    assert.equal(await this.sum(UNBALANCED), 0n, 'accounts whose money does not add up');
    assert.equal(
      await this.sum(WRONG_SHARES),
      0n,
      'charge + variance + node loss = the cost at its rate, or fault = cost',
    );
    assert.equal(await this.sum('select count(*) from settlements where charge_nano not between 0 and hold_nano'), 0n);
    for (const [table, spanMs] of [
      ['rollups_hour', 3_600_000],
      ['rollups_day', 86_400_000],
    ] as const) {
      assert.equal(await this.sum(differing(summedUp(spanMs), kept(table))), 0n, `${table} misses settlements`);
      assert.equal(
        await this.sum(differing(kept(table), summedUp(spanMs))),
        0n,
        `${table} has more than the settlements`,
      );
    }
    return totals;
  }

  async sum(sql: string): Promise<bigint> {
    const { rows } = await this.#client.query(sql);
    const [value] = Object.values(rows[0] ?? {});
    return BigInt((value as string | null) ?? 0);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

const CHARGED = (Object.keys(endingCodes) as Ending[])
  .filter(isCharged)
  .map((ending) => endingCodes[ending])
  .join(', ');

const WRONG_SHARES = `select count(*) from settlements
  where hold_nano is not null and charge_nano + fault_nano + variance_nano + node_loss_nano <>
    case when fault_nano <> 0 then cost_nano
      when ending in (${CHARGED}) then (coalesce(cost_nano, 0) * (1000000 + markup_ppm) + 999999) / 1000000
      when own_credential = 1 then 0 else coalesce(cost_nano, 0) end`;

const UNBALANCED = `select count(*) from funds
  where free_nano + coalesce((select sum(granted_nano - spent_nano) from leases where kind = 0 and leases.id = account_id), 0)
    <> coalesce((select sum(amount_nano) from entries where entries.account_id = funds.account_id), 0)
      - coalesce((select sum(charge_nano) from settlements where settlements.account_id = funds.account_id and hold_nano is not null), 0)`;

function summedUp(spanMs: number): string {
  return `select (admitted_at / ${spanMs})::bigint as start, account_id, project_id, key_id, model, provider, count(*) as calls,
    sum(input_tokens::bigint + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + input_audio_tokens) as prompt,
    sum(output_tokens::bigint + output_audio_tokens) as completion, coalesce(sum(cost_nano), 0) as cost, sum(charge_nano) as charge
    from settlements group by 1, 2, 3, 4, 5, 6`;
}

/** Each node has rows of its own. */
function kept(table: string): string {
  return `select start::bigint, account_id, project_id, key_id, model, provider, sum(calls) as calls, sum(prompt_tokens) as prompt,
    sum(completion_tokens) as completion, sum(cost_nano) as cost, sum(charge_nano) as charge
    from ${table} group by 1, 2, 3, 4, 5, 6`;
}

function differing(one: string, other: string): string {
  return `select count(*) from (select * from (${one}) as one except select * from (${other}) as other) as differing`;
}
