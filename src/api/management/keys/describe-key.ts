/** Describes a key for the management API: no secret, and nothing that reveals one. */
import type * as z from 'zod';
import type { Key } from '../../../accounts/keys.ts';
import { describeRestrictions, NO_RESTRICTIONS } from '../../../accounts/restrictions.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import type { ScopeMoney } from '../../../billing/money-view.ts';
import { dayStart, isoTime } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import type { keyOut } from '../../contract/keys.ts';
import { describeLimits, describePermissions } from '../accounts/limits.ts';
import { type BudgetState, budgetsOf, tightestOfKey } from './budgets.ts';
import { hashOf } from './find-key.ts';
import { keyMoney } from './key-money.ts';
import { statusOf } from './key-status.ts';

export type KeyOut = z.input<typeof keyOut>;

export interface KeyFacts {
  readonly scopes: Pick<ScopeMirror, 'project'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** `money` is that of the key's root; `createdBy` is the name of its maker, or null. */
export function describeKey(
  { scopes, clock }: KeyFacts,
  key: Key,
  money: ScopeMoney,
  createdBy: string | null,
): KeyOut {
  const nowMs = clock.now();
  const project = scopes.project(key.projectId);
  const limit = shownBudget(key, money, nowMs);
  const { lastDay } = money;
  return {
    hash: hashOf(key),
    id: key.id,
    root_id: key.rootId,
    name: key.name,
    label: key.label,
    kind: key.kind,
    status: statusOf(key, project, nowMs),
    disabled: key.disabled,
    project: { id: project.id, name: project.name },
    created_at: isoTime(key.createdAt),
    updated_at: isoTime(key.updatedAt),
    created_by: createdBy,
    creator_user_id: key.createdBy,
    external_user: null,
    last_used_at: lastDay === null ? null : isoTime(dayStart(lastDay)),
    expires_at: isoTime(key.expiresAt),
    retiring_at: isoTime(key.retiringAt),
    revoked_at: isoTime(key.revokedAt),
    ...keyMoney(limit, money),
    workspace_id: String(project.id),
    limits: describeLimits(key.limits),
    permissions: describePermissions(key.permissions),
    cache_seconds: key.cacheSeconds ?? null,
    origins: key.origins === undefined ? null : [...key.origins],
    restricted: describeRestrictions(key.restrictions ?? NO_RESTRICTIONS),
  };
}

/** The budget shown as OpenRouter's single `limit`; null without one. */
export function shownBudget(key: Key, money: ScopeMoney, nowMs: number): BudgetState | null {
  return tightestOfKey(budgetsOf('key', money, key.limits, nowMs));
}

/** OpenRouter's names. */
