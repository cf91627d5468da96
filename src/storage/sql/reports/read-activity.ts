/** Daily sums, from the daily rollups, which outlive records and keys. */
import { nanoUsd } from '../../../core/money.ts';
import type { ActivityQuery, ActivityRow } from '../../../stats/ports.ts';
import { ROLLUP_SUMS, type RollupSumColumn } from '../ledger/rollup-columns.ts';
import { type ReportParts, rowsOf, type Steps } from './steps.ts';

/** At most `rowsMax` rows, newest days first. */
export function* readActivity(parts: ReportParts, query: ActivityQuery, rowsMax: number): Steps<ActivityRow[]> {
  const { accountId, projectId, keyId, firstDay, lastDay } = query;
  const rows = yield* rowsOf<SummedRow>(selectActivity(parts, projectId !== null, keyId !== null), [
    firstDay,
    lastDay,
    accountId,
    ...(projectId === null ? [] : [projectId]),
    ...(keyId === null ? [] : [keyId]),
    rowsMax,
  ]);
  return rows.map(readRow);
}

const SUMS = ROLLUP_SUMS.map((column) => `sum(${column}) AS ${column}`).join(', ');

/** Day by day, because the rows of one account are adjacent within a day. */
function selectActivity({ inTime }: ReportParts, ofProject: boolean, ofKey: boolean): string {
  return `WITH RECURSIVE days (day) AS
      (SELECT CAST(? AS integer) UNION ALL SELECT day + 1 FROM days WHERE day < ?)
    SELECT summed.day, model.name AS model, provider.name AS provider, ${ROLLUP_SUMS.join(', ')}
    FROM (
      SELECT day, rolled.model, rolled.provider, ${SUMS}
      FROM days CROSS JOIN rollups_day AS rolled
      WHERE ${inTime('rolled.key_id')} AND rolled.start = day AND rolled.account_id = ?
        ${ofProject ? 'AND rolled.project_id = ?' : ''} ${ofKey ? 'AND rolled.key_id = ?' : ''}
      GROUP BY day, rolled.model, rolled.provider
    ) AS summed
    JOIN names AS model ON model.id = summed.model
    JOIN names AS provider ON provider.id = summed.provider
    ORDER BY summed.day DESC, model.name, provider.name LIMIT ?`;
}

type SummedRow = { readonly model: string; readonly provider: string } & Readonly<
  Record<'day' | RollupSumColumn, bigint>
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
    ownCost: nanoUsd(row.own_cost_nano),
  };
}
