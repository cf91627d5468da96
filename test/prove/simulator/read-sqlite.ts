/** Reads a SQLite ledger apart from the storage that serves it, and checks that its sums are those of its rows. */
import { DatabaseSync } from 'node:sqlite';
import type { Settlement } from '../../../src/core/settlement.ts';
import { endingCodes } from '../../../src/storage/sql/codes.ts';
import type { NamedSettlementRow } from '../../../src/storage/sql/ledger/settlement-columns.ts';
import { readSettlement, selectSettlements } from '../../../src/storage/sql/ledger/settlement-rows.ts';
import type { Durable } from './backing.ts';

export function readSqlite(path: string): Durable {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  try {
    const read = (table: 'settlements' | 'holds') =>
      (database.prepare(selectSettlements('main', table)).all() as unknown as NamedSettlementRow[]).map(
        (row): Settlement => readSettlement(row),
      );
    return {
      settlements: read('settlements'),
      holds: read('holds'),
      balances: readBalances(database),
      faults: [...rollupFaults(database, 'hour'), ...rollupFaults(database, 'day')],
    };
  } finally {
    database.close();
  }
}

function readBalances(database: DatabaseSync): Durable['balances'] {
  const statement = database.prepare('SELECT account_id, credited_nano, charged_nano, balance_nano FROM balances');
  statement.setReadBigInts(true);
  const balances = new Map<number, { readonly credited: bigint; readonly charged: bigint }>();
  for (const row of statement.all() as Record<string, bigint>[]) {
    const { account_id: id = 0n, credited_nano: credited = 0n, charged_nano: charged = 0n, balance_nano } = row;
    if (balance_nano !== credited - charged) throw new Error(`the balance of ${id} is ${balance_nano}`);
    balances.set(Number(id), { credited, charged });
  }
  return balances;
}

/** Rows that only one of the two sides has. */
function rollupFaults(database: DatabaseSync, span: 'hour' | 'day'): string[] {
  const kept = `SELECT start, account_id, project_id, key_id, model, provider, calls, failed,
    prompt_tokens, completion_tokens, cost_nano, charge_nano, own_cost_nano FROM rollups_${span}`;
  const summed = `SELECT admitted_at / ${span === 'hour' ? 3_600_000 : 86_400_000}, account_id, project_id, key_id, model, provider,
    count(*), sum(ending NOT IN (${ENDED_WELL})),
    sum(input_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + input_audio_tokens),
    sum(output_tokens + output_audio_tokens), sum(coalesce(cost_nano, 0)), sum(charge_nano),
    sum(iif(own_credential, coalesce(cost_nano, 0), 0))
    FROM settlements GROUP BY 1, 2, 3, 4, 5, 6`;
  const differences = (one: string, other: string) =>
    Number((database.prepare(`SELECT count(*) AS n FROM (${one} EXCEPT ${other})`).get() as { n: number }).n);
  const found = differences(kept, summed) + differences(summed, kept);
  return found === 0 ? [] : [`${found} sums of an ${span} are not those of the settlements`];
}

const ENDED_WELL = [endingCodes.complete, endingCodes.empty].join(',');
