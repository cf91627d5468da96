/**
 * `GET /api/v1/activity`: sums by UTC day, model and provider, in the fields of OpenRouter's answer
 */

import type { KeyMirror } from '../../accounts/key-mirror.ts';
import type { Key } from '../../accounts/keys.ts';
import type { ScopeMirror } from '../../accounts/scope-mirror.ts';
import { dayOf, dayText } from '../../core/calendar.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { type KeyId, keyId, type ProjectId, projectId } from '../../core/ids.ts';
import { usdLiteral } from '../../core/money.ts';
import type { ActivityQuery, ActivityRow, StatsReader } from '../../stats/ports.ts';
import { oneOf, type Query } from './query.ts';

export interface ActivityFacts {
  readonly stats: Pick<StatsReader, 'activity'>;
  readonly keys: Pick<KeyMirror, 'get'>;
  readonly scopes: Pick<ScopeMirror, 'findProject'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Completed days, in addition to the current one. */
const DAYS = 30;
/** OpenRouter's filters and groupings that are not supported here: ignoring them would return the wrong sums. */
const UNSUPPORTED = ['api_key_hash', 'user_id', 'workspace_id', 'group_by'];

/**
 * Throws `GatewayError`: 400 for a parameter that is not accepted, 404 for a key or a project that the caller may not see. Returns exact
 * numbers for `JSON.stringify`.
 */
export async function activity(key: Key, query: Query, facts: ActivityFacts): Promise<object> {
  const rows = await facts.stats.activity(readQuery(key, query, facts));
  return { data: rows.map(writeRow) };
}

function readQuery(key: Key, query: Query, facts: ActivityFacts): ActivityQuery {
  for (const name of UNSUPPORTED)
    if (query[name] !== undefined)
      throw new GatewayError('unsupported_value', {
        message: `${name} is not supported; use date, key and project.`,
        param: name,
      });
  const today = dayOf(facts.clock.now());
  const date = readDate(query, today);
  const project = readProject(key, query, facts.scopes);
  const ofKey = readKey(key, query, facts.keys);
  if (project !== null && ofKey !== null && ofKey.projectId !== project) throw notTheirs('key');
  return {
    accountId: key.accountId,
    projectId: project ?? ofKey?.projectId ?? (key.kind === 'management' ? null : key.projectId),
    keyId: ofKey?.id ?? null,
    firstDay: date ?? today - DAYS,
    lastDay: date ?? today,
  };
}

/** Any day up to today: sums by day are kept for ever. */
function readDate(query: Query, today: number): number | null {
  const text = oneOf(query, 'date');
  if (text === null) return null;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayOf(Date.parse(text)) : Number.NaN;
  if (!(day >= 0 && day <= today) || dayText(day) !== text)
    throw new GatewayError('invalid_value', {
      message: 'date must be a UTC day up to today: YYYY-MM-DD.',
      param: 'date',
    });
  return day;
}

function readProject(key: Key, query: Query, scopes: ActivityFacts['scopes']): ProjectId | null {
  const id = readId(query, 'project');
  if (id === null) return null;
  const project = scopes.findProject(projectId(id));
  if (project === undefined || !maySee(key, { accountId: project.accountId, projectId: project.id }))
    throw notTheirs('project');
  return project.id;
}

function readKey(key: Key, query: Query, keys: ActivityFacts['keys']): { id: KeyId; projectId: ProjectId } | null {
  const id = readId(query, 'key');
  if (id === null) return null;
  const asked = keys.get(keyId(id));
  if (asked === undefined || !maySee(key, asked)) throw notTheirs('key');
  return { id: asked.id, projectId: asked.projectId };
}

function maySee(key: Key, { accountId, projectId }: Pick<Key, 'accountId' | 'projectId'>): boolean {
  return accountId === key.accountId && (key.kind === 'management' || projectId === key.projectId);
}

function readId(query: Query, name: string): number | null {
  const text = oneOf(query, name);
  if (text === null) return null;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new GatewayError('invalid_value', { message: `${name} must be the number of a ${name}.`, param: name });
}

function notTheirs(name: string): GatewayError {
  return new GatewayError('not_found', { message: `This key has access to no such ${name}.`, param: name });
}

function writeRow(row: ActivityRow): Readonly<Record<string, unknown>> {
  return {
    date: dayText(row.day),
    model: row.model,
    model_permaslug: row.model,
    endpoint_id: `${row.provider}/${row.model}`,
    provider_name: row.provider,
    usage: usdLiteral(row.charge),
    byok_usage_inference: usdLiteral(row.ownCost),
    requests: row.calls,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    reasoning_tokens: row.reasoningTokens,
    failed_requests: row.failed,
    cached_tokens: row.cachedTokens,
    cost: usdLiteral(row.cost),
  };
}
