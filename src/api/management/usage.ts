/** Consumption: sums over time by group, as JSON or as a table, and the first steps of a new account. */

import type { Account } from '../../accounts/ports.ts';
import { isoTime } from '../../core/calendar.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { type AccountId, generationId, keyId, projectId } from '../../core/ids.ts';
import { formatUsd, type Money, usdLiteral } from '../../core/money.ts';
import type {
  CallRecord,
  StatsReader,
  UsageGroup,
  UsageGrouping,
  UsageQuery,
  UsageReport,
  UsageSums,
} from '../../stats/ports.ts';
import type { RouteInput } from '../contract/route.ts';
import type { usageRoutes } from '../contract/usage.ts';
import type { CsvRow } from './csv.ts';
import { type Handlers, TableAnswer } from './handler.ts';
import { type NameSources, namedKey, namedProject } from './names.ts';

export interface UsageServices extends NameSources {
  readonly stats: Pick<StatsReader, 'usage' | 'allUsage' | 'firstCall'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly firstSteps: FirstSteps;
}

/** What the checklist asks of the rest of the program. */
export interface FirstSteps {
  /** Whether a provider beside the demo can be called. */
  hasProvider(): boolean;
  /** Whether the account has a key that calls models. */
  hasKey(account: AccountId): Promise<boolean>;
  /** Whether there is another member, or an open invitation. */
  hasInvited(account: AccountId): Promise<boolean>;
  /** A model to try: a real one where there is one. */
  model(account: AccountId): string | null;
}

export function usageHandlers(services: UsageServices): Handlers<typeof usageRoutes> {
  const { stats, clock, firstSteps } = services;
  /** A first call stays the first. */
  const firstCalls = new Map<AccountId, CallRecord>();
  return {
    async readUsage({ account }, { query }) {
      const asked = readQuery(account, query);
      const day = isoTime(asked.first * (asked.interval === 'hour' ? HOUR_MS : DAY_MS)).slice(0, 10);
      if (query.format === 'csv') return new TableAnswer(COLUMNS, usageRows(services, asked), `usage-from-${day}.csv`);
      return { data: describeReport(services, asked, await stats.usage(asked)) };
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

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const HOURS_MAX = 31 * 24;
const DAYS_MAX = 366;
/** Up to so long a time is told by the hour when nothing is said. */
const BY_HOUR_MS = 3 * DAY_MS;
/** Intervals times groups: as much as is written without anybody else waiting for it. */
const POINTS_MAX = 3_400;

type Query = RouteInput<typeof usageRoutes.readUsage>['query'];

/** Throws `GatewayError` `invalid_value`. */
function readQuery(account: Account, query: Query): UsageQuery {
  const fromMs = Date.parse(query.from);
  const toMs = Date.parse(query.to);
  if (fromMs < 0 || toMs <= fromMs) throw invalid('to', 'to is later than from, and both are later than 1970.');
  const interval = query.interval ?? (toMs - fromMs <= BY_HOUR_MS ? 'hour' : 'day');
  const spanMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const first = Math.floor(fromMs / spanMs);
  const end = Math.ceil(toMs / spanMs);
  if (end - first > (interval === 'hour' ? HOURS_MAX + 1 : DAYS_MAX + 1))
    throw invalid('to', 'Hours are told for up to 31 days, days for up to 366.');
  const groups = query.group_by === 'none' ? 1 : query.groups + 1;
  if (query.format === 'json' && (end - first) * groups > POINTS_MAX)
    throw invalid(
      'groups',
      `At most ${POINTS_MAX} points are told at once: ask for fewer groups, for days, or for less time.`,
    );
  return {
    accountId: account.id,
    interval,
    first,
    end,
    groupBy: query.group_by,
    projectId: query.project === undefined ? null : projectId(query.project),
    keyId: query.key === undefined ? null : keyId(query.key),
    model: query.model ?? null,
    provider: query.provider ?? null,
    groups: query.groups,
  };
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}

function startsOf({ interval, first, end }: UsageQuery): string[] {
  const spanMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  return Array.from({ length: end - first }, (_, index) => isoTime((first + index) * spanMs));
}

function describeReport(services: UsageServices, query: UsageQuery, report: UsageReport) {
  const spanMs = query.interval === 'hour' ? HOUR_MS : DAY_MS;
  const { calls, p50Ms, p95Ms } = report.firstBytes;
  return {
    from: isoTime(query.first * spanMs),
    to: isoTime(query.end * spanMs),
    interval: query.interval,
    starts: startsOf(query),
    totals: describeSums(report.totals),
    previous: describeSums(report.previous),
    latency: { calls, p50_ms: p50Ms, p95_ms: p95Ms },
    groups: report.groups.map((group) => describeGroup(services, query.groupBy, group)),
  };
}

function describeSums(sums: UsageSums) {
  return {
    spend: usdLiteral(sums.charge),
    requests: sums.calls,
    failed: sums.failed,
    prompt_tokens: sums.promptTokens,
    completion_tokens: sums.completionTokens,
    cached_tokens: sums.cachedTokens,
    reasoning_tokens: sums.reasoningTokens,
  };
}

function describeGroup(services: NameSources, groupBy: UsageGrouping, group: UsageGroup) {
  const { series } = group;
  return {
    id: group.kind === 'one' ? group.id : group.kind === 'rest' ? 'other' : 'all',
    name: nameOf(services, groupBy, group),
    totals: describeSums(group.totals),
    // Most intervals of most groups have nothing in them.
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

const COLUMNS = [
  'start',
  'group',
  'name',
  'spend_usd',
  'requests',
  'failed',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
];

/** A line for each interval and group in which there was a call, however many groups there are. */
async function* usageRows(services: UsageServices, query: UsageQuery): AsyncGenerator<CsvRow[], CsvRow> {
  const { groupBy } = query;
  const spanMs = query.interval === 'hour' ? HOUR_MS : DAY_MS;
  const total = { charge: 0n, calls: 0, failed: 0, prompt: 0, completion: 0, cached: 0, reasoning: 0 };
  for await (const batch of services.stats.allUsage(query)) {
    for (const { sums } of batch) {
      total.charge += sums.charge;
      total.calls += sums.calls;
      total.failed += sums.failed;
      total.prompt += sums.promptTokens;
      total.completion += sums.completionTokens;
      total.cached += sums.cachedTokens;
      total.reasoning += sums.reasoningTokens;
    }
    yield batch.map(({ start, id, sums }) => [
      isoTime(start * spanMs),
      groupBy === 'none' ? 'all' : id,
      nameOf(services, groupBy, { kind: groupBy === 'none' ? 'all' : 'one', id }),
      formatUsd(sums.charge),
      sums.calls,
      sums.failed,
      sums.promptTokens,
      sums.completionTokens,
      sums.cachedTokens,
      sums.reasoningTokens,
    ]);
  }
  const { charge, ...counts } = total;
  return ['total', null, null, formatUsd(charge as Money), ...Object.values(counts)];
}

function describeFirst(record: CallRecord) {
  return {
    call: generationId(record.callId),
    at: isoTime(record.admittedAt),
    model: record.model,
    cost: usdLiteral(record.charge),
    first_byte_ms: record.firstByteMs,
    duration_ms: record.durationMs,
  };
}
