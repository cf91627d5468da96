/** Sums of days, from the daily rollups: they outlive records, and keys. */
import type { DatabaseSync } from 'node:sqlite';
import { nanoUsd } from '../../../core/money.ts';
import type { ActivityQuery, ActivityRow } from '../../../stats/ports.ts';

/** At most `rowsMax` rows, the newest days first. */
export function readActivity(ledger: DatabaseSync, query: ActivityQuery, rowsMax: number): ActivityRow[] {
  const { accountId, projectId, keyId, firstDay, lastDay } = query;
  const statement = ledger.prepare(selectActivity(projectId !== null, keyId !== null));
  statement.setReadBigInts(true);
  const rows = statement.all({
    firstDay,
    lastDay,
    accountId,
    ...(projectId === null ? {} : { projectId }),
    ...(keyId === null ? {} : { keyId }),
    rowsMax,
  });
  return (rows as unknown as SummedRow[]).map(readRow);
}

/** Day by day, because the rows of one account lie together within a day. */
function selectActivity(ofProject: boolean, ofKey: boolean): string {
  return `WITH RECURSIVE days (day) AS (SELECT :firstDay UNION ALL SELECT day + 1 FROM days WHERE day < :lastDay)
    SELECT summed.day, model.name AS model, provider.name AS provider, calls, failed, prompt_tokens,
      completion_tokens, cached_tokens, reasoning_tokens, cost_nano, charge_nano
    FROM (
      SELECT day, rolled.model, rolled.provider, sum(calls) AS calls, sum(failed) AS failed,
        sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
        sum(cached_tokens) AS cached_tokens, sum(reasoning_tokens) AS reasoning_tokens,
        sum(cost_nano) AS cost_nano, sum(charge_nano) AS charge_nano
      FROM days CROSS JOIN rollups_day AS rolled
      WHERE in_time(rolled.key_id) AND rolled.start = day AND rolled.account_id = :accountId
        ${ofProject ? 'AND rolled.project_id = :projectId' : ''} ${ofKey ? 'AND rolled.key_id = :keyId' : ''}
      GROUP BY day, rolled.model, rolled.provider
    ) AS summed
    JOIN names AS model ON model.id = summed.model
    JOIN names AS provider ON provider.id = summed.provider
    ORDER BY summed.day DESC, model.name, provider.name LIMIT :rowsMax`;
}

type SummedRow = { readonly model: string; readonly provider: string } & Readonly<
  Record<
    | 'day'
    | 'calls'
    | 'failed'
    | 'prompt_tokens'
    | 'completion_tokens'
    | 'cached_tokens'
    | 'reasoning_tokens'
    | 'cost_nano'
    | 'charge_nano',
    bigint
  >
>;

function readRow(row: SummedRow): ActivityRow {
  return {
    day: Number(row.day),
    model: row.model,
    provider: row.provider,
    calls: Number(row.calls),
    failed: Number(row.failed),
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    cachedTokens: Number(row.cached_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    cost: nanoUsd(row.cost_nano),
    charge: nanoUsd(row.charge_nano),
  };
}
