/** Handlers for usage: sums over time by group, as JSON or as a table, and the first steps of a new account. */

import { isoTime } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import { reportedMsOrNull } from '../../../core/clock.ts';
import { type AccountId, generationId } from '../../../core/ids.ts';
import { formatUsd, type Money, NO_MONEY, nanoUsd, usdLiteral } from '../../../core/money.ts';
import type {
  CallRecord,
  StatsReader,
  UsageGroup,
  UsageGrouping,
  UsageQuery,
  UsageReport,
  UsageSums,
} from '../../../stats/ports.ts';
import { hasDetail } from '../../../stats/record.ts';
import type { usageRoutes } from '../../contract/usage.ts';
import type { CsvRow } from '../door/csv.ts';
import { type Handlers, TableAnswer } from '../door/handler.ts';
import { type NameSources, namedKey, namedProject } from './names.ts';
import { type AskedUsage, readOffset, readSort, readUsageQuery } from './usage-query.ts';

export interface UsageServices extends NameSources {
  readonly stats: Pick<StatsReader, 'usage' | 'usageGroups' | 'allUsage' | 'firstCall'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly firstSteps: FirstSteps;
}

/** What the checklist needs from the rest of the program. */
export interface FirstSteps {
  /** Whether a provider besides the demo can be called. */
  hasProvider(): boolean;
  /** Whether the account has a key that calls models. */
  hasKey(account: AccountId): Promise<boolean>;
  /** Whether there is another member, or an open invitation. */
  hasInvited(account: AccountId): Promise<boolean>;
  /** A model to try; a real one if possible. */
  model(account: AccountId): string | null;
}

export function usageHandlers(services: UsageServices): Handlers<typeof usageRoutes> {
  const { stats, clock, firstSteps } = services;
  /** Cached, because the first call never changes. */
  const firstCalls = new Map<AccountId, CallRecord>();
  return {
    async readUsage({ account, isOperator }, { query }) {
      const asked = readUsageQuery(account, query, isOperator);
      if (query.format === 'csv') {
        const { groupBy } = asked.query;
        const subject = groupBy === 'none' ? 'usage' : `usage-by-${groupBy}`;
        return new TableAnswer(columnsFor(asked.query), usageRows(services, asked), subject, asked);
      }
      return { data: describeReport(services, asked, await stats.usage(asked.query)) };
    },
    async listUsageGroups({ account, isOperator }, { query }) {
      const { query: asked } = readUsageQuery(account, { ...query, format: 'csv', groups: 1 }, isOperator);
      const offset = query.cursor === undefined ? 0 : readOffset(query.cursor);
      const { groups, count } = await stats.usageGroups({
        query: asked,
        sort: readSort(query.sort),
        offset,
        limit: query.limit,
      });
      const end = offset + groups.length;
      return {
        data: groups.map(({ id, sums }) => ({
          id,
          name: nameOf(services, asked.groupBy, { kind: 'one', id }),
          totals: describeSums(sums, asked),
        })),
        next_cursor: end < count && groups.length > 0 ? String(end) : null,
        total_count: count,
      };
    },
    async readChecklist({ account }) {
      const first = firstCalls.get(account.id) ?? (await stats.firstCall(account.id));
      if (first !== null) firstCalls.set(account.id, first);
      return {
        data: {
          first_call: first === null ? null : describeFirst(first),
          has_provider: firstSteps.hasProvider(),
          has_key: await firstSteps.hasKey(account.id),
          has_invited: await firstSteps.hasInvited(account.id),
          model: firstSteps.model(account.id),
          since: isoTime(Math.min(account.createdAt, clock.now())),
        },
      };
    },
  };
}

function describeReport(services: UsageServices, asked: AskedUsage, report: UsageReport) {
  const { query, interval, timeZone, starts } = asked;
  const { calls, p50Ms, p95Ms } = report.firstBytes;
  return {
    from: isoTime(asked.fromMs),
    to: isoTime(asked.toMs),
    interval,
    time_zone: timeZone,
    starts: starts.map((ms) => isoTime(ms)),
    totals: describeSums(report.totals, query),
    previous: describeSums(report.previous, query),
    latency: { calls, p50_ms: reportedMsOrNull(p50Ms), p95_ms: reportedMsOrNull(p95Ms) },
    groups: report.groups.map((group) => describeGroup(services, query, group)),
  };
}

function describeSums(sums: UsageSums, { costs }: Pick<UsageQuery, 'costs'>) {
  return {
    spend: usdLiteral(sums.charge),
    margin: costs === true ? usdLiteral(marginOf(sums)) : null,
    requests: sums.calls,
    failed: sums.failed,
    prompt_tokens: sums.promptTokens,
    completion_tokens: sums.completionTokens,
    cached_tokens: sums.cachedTokens,
    reasoning_tokens: sums.reasoningTokens,
    cache_hits: sums.cacheHits,
    saved: usdLiteral(sums.saved),
  };
}

function marginOf({ charge, borneCost }: Pick<UsageSums, 'charge' | 'borneCost'>): Money {
  return nanoUsd(charge - borneCost);
}

function describeGroup(services: NameSources, query: UsageQuery, group: UsageGroup) {
  const { series } = group;
  return {
    id: group.kind === 'one' ? group.id : group.kind === 'rest' ? 'other' : 'all',
    name: nameOf(services, query.groupBy, group),
    totals: describeSums(group.totals, query),
    // Most intervals of most groups are zero.
    spend: Array.from(series.charge, (charge) => (charge === 0n ? 0 : usdLiteral(charge as Money))),
    requests: [...series.calls],
    failed: [...series.failed],
    prompt_tokens: [...series.promptTokens],
    completion_tokens: [...series.completionTokens],
  };
}

function nameOf(services: NameSources, groupBy: UsageGrouping, { kind, id }: Pick<UsageGroup, 'kind' | 'id'>): string {
  if (kind !== 'one') return kind === 'rest' ? 'Other' : 'All';
  if (groupBy === 'key') return namedKey(services, Number(id)).name;
  return groupBy === 'project' ? namedProject(services, Number(id)).name : id;
}

/** Those of a table; what calls cost the operator is only in an operator's. */
function columnsFor({ costs }: Pick<UsageQuery, 'costs'>): readonly string[] {
  return [
    ...['start', 'group', 'name', 'spend_usd', 'requests', 'failed', 'prompt_tokens', 'completion_tokens'],
    ...['cached_tokens', 'reasoning_tokens', 'cache_hits', 'saved_usd', ...(costs === true ? ['margin_usd'] : [])],
  ];
}

/** A line for each interval and group in which there was a call, however many groups there are. */
async function* usageRows(services: UsageServices, { query, unitMs }: AskedUsage): AsyncGenerator<CsvRow[], CsvRow> {
  const { groupBy } = query;
  let total: UsageSums = NO_SUMS;
  for await (const batch of services.stats.allUsage(query)) {
    for (const { sums } of batch) total = added(total, sums);
    yield batch.map(({ start, id, sums }) => [
      isoTime(start * unitMs),
      groupBy === 'none' ? 'all' : id,
      nameOf(services, groupBy, { kind: groupBy === 'none' ? 'all' : 'one', id }),
      ...sumCells(sums, query),
    ]);
  }
  return ['total', null, null, ...sumCells(total, query)];
}

/** In the order of the columns. */
function sumCells(sums: UsageSums, { costs }: Pick<UsageQuery, 'costs'>): CsvRow {
  return [
    formatUsd(sums.charge),
    sums.calls,
    sums.failed,
    sums.promptTokens,
    sums.completionTokens,
    sums.cachedTokens,
    sums.reasoningTokens,
    sums.cacheHits,
    formatUsd(sums.saved),
    ...(costs === true ? [formatUsd(marginOf(sums))] : []),
  ];
}

const NO_SUMS: UsageSums = {
  calls: 0,
  failed: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  charge: NO_MONEY,
  borneCost: NO_MONEY,
  cacheHits: 0,
  saved: NO_MONEY,
};

function added(one: UsageSums, other: UsageSums): UsageSums {
  return {
    calls: one.calls + other.calls,
    failed: one.failed + other.failed,
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    charge: nanoUsd(one.charge + other.charge),
    borneCost: nanoUsd(one.borneCost + other.borneCost),
    cacheHits: one.cacheHits + other.cacheHits,
    saved: nanoUsd(one.saved + other.saved),
  };
}

function describeFirst(record: CallRecord) {
  return {
    call: generationId(record.callId),
    at: isoTime(record.admittedAt),
    model: record.model,
    cost: usdLiteral(record.charge),
    first_byte_ms: record.firstByteMs,
    duration_ms: hasDetail(record) ? record.durationMs : null,
  };
}
