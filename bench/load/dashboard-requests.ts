/** The requests of the dashboard's pages, as paths below its door. */

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** One request after the other page by page; those of a page are sent together. */
export function pageRequests(account: number, nowMs: number): readonly (readonly string[])[] {
  const own = `account=${account}`;
  return [
    [
      `/checklist?${own}`,
      `/failing-models?${own}`,
      usagePath({ ...week(nowMs), account, groupBy: 'model' }),
      usagePath({ ...week(nowMs), account, groupBy: 'none' }),
      `/balance?${own}`,
      `/calls?${own}&limit=8`,
    ],
    [usagePath({ ...month(nowMs), account, groupBy: 'model' })],
    [`/calls?${own}&limit=50`],
    [`/keys?${own}`],
    [`/catalog?${own}`],
  ];
}

export const LIVE_PATH = '/calls/live?account=1';

export interface UsageTime {
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
  readonly interval: 'minute' | 'hour' | 'day';
}

export interface UsageAsked extends UsageTime {
  readonly account: number;
  readonly groupBy: string;
}

export function usagePath({ fromMs, toMs, interval, account, groupBy }: UsageAsked): string {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return `/usage?account=${account}&from=${from}&to=${to}&interval=${interval}&group_by=${groupBy}`;
}

/** Seven days by the hour, up to the end of the current one: the overview's initial range. */
export function week(nowMs: number): UsageTime {
  const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  return { fromMs: toMs - 7 * DAY_MS, toMs, interval: 'hour' };
}

/** Sixty minutes, up to the end of the current one. */
export function lastHour(nowMs: number): UsageTime {
  const toMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  return { fromMs: toMs - HOUR_MS, toMs, interval: 'minute' };
}

/** Thirty days, up to the end of today or of a day the given number of days ago. */
export function month(nowMs: number, daysAgo = 0): UsageTime {
  const toMs = (Math.floor(nowMs / DAY_MS) + 1 - daysAgo) * DAY_MS;
  return { fromMs: toMs - 30 * DAY_MS, toMs, interval: 'day' };
}

/** What the first account has that can be requested. */
export interface Subjects {
  readonly nowMs: number;
  /** `gen-…` of one of its calls. */
  readonly call: string;
}

/**
 * By name, one or more for each read route of the dashboard: the largest answers possible. The name begins
 * with the route's in the contract.
 */
export function readingRequests({ nowMs, call }: Subjects): Readonly<Record<string, string>> {
  const days = month(nowMs);
  const csv = 'format=csv';
  return {
    readSession: '/session',
    readProfile: '/profile',
    listSessions: '/profile/sessions',
    readAccount: '/account?account=1',
    listAccounts: '/accounts',
    listMembers: '/members?account=1',
    readMemberMade: '/members/1/made?account=1',
    listPeople: '/people',
    listInvitations: '/invitations?account=1',
    listProjects: '/projects?account=1&include_archived=true',
    readProject: '/projects/1?account=1',
    listKeys: '/keys?account=1',
    'listKeys 200': '/keys?account=1&limit=200',
    readKey: '/keys/1?account=1',
    readKeyLimits: '/keys/1/limits?account=1',
    readKeyMade: '/keys/1/made?account=1',
    readBalance: '/balance?account=1',
    listMovements: '/ledger?account=1',
    listMonths: '/ledger/months?account=1',
    'listMonths 60': '/ledger/months?account=1&limit=60',
    'listMovements csv': `/ledger?account=1&${csv}`,
    'readUsage 7 days by hour and model': usagePath({ ...week(nowMs), account: 1, groupBy: 'model' }),
    'readUsage 30 days by model': usagePath({ ...days, account: 1, groupBy: 'model' }),
    'readUsage 30 days by key': usagePath({ ...days, account: 1, groupBy: 'key' }),
    'readUsage 30 days by hour': usagePath({ ...days, interval: 'hour', account: 1, groupBy: 'none' }),
    'readUsage as many points as are told': `${usagePath({ ...week(nowMs), account: 1, groupBy: 'key' })}&groups=18`,
    'readUsage csv': `${usagePath({ ...week(nowMs), account: 1, groupBy: 'key' })}&groups=18&${csv}`,
    'readUsage 1 hour by minute and key': usagePath({ ...lastHour(nowMs), account: 1, groupBy: 'key' }),
    'readUsage 30 days of another zone': `${usagePath({ ...days, account: 1, groupBy: 'key' })}&time_zone=Asia/Kolkata`,
    listUsageGroups: `/usage/groups?${usagePath({ ...days, account: 1, groupBy: 'key' }).split('?')[1]}&limit=200`,
    readChecklist: '/checklist?account=1',
    listCalls: '/calls?account=1',
    'listCalls 200': '/calls?account=1&limit=200',
    'listCalls csv': `/calls?account=1&${csv}`,
    'listCalls failed': '/calls?account=1&status=failed',
    listRefusals: '/calls/refused?account=1',
    readCall: `/calls/${call}?account=1`,
    listCatalog: '/catalog?account=1',
    listProviderKinds: '/provider-kinds',
    listProviders: '/providers',
    readLoad: '/load',
    listNodes: '/nodes',
    readProviderHealth: '/providers/relayed-openai-chat/health',
    listOwnProviders: '/byok-providers?account=1',
    listOwnCredentials: '/byok?account=1&limit=100',
    listAliases: '/aliases?account=1',
    listAccountBatches: '/account-batches?account=1&limit=100',
    listModelPrices: '/model-prices?model=bench-chat/whole',
    listFailingModels: '/failing-models?account=1',
    listAudit: '/audit?account=1',
    'listAudit csv': `/audit?account=1&${csv}`,
  };
}

/** Read routes without a request above: what is not stored, and streams without an end. */
export const NOT_ASKED: ReadonlySet<string> = new Set([
  'readBodies',
  'readOwnCredential',
  'readAccountBatch',
  'followCalls',
]);
