/**
 * Who restricted a key or a project, so that nobody below undoes it. Of each level of people the values that it set are kept; somebody
 * below may set what is tighter, and nothing looser.
 */
import { BUDGET_WINDOWS } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import type { Money } from '../core/money.ts';
import { isRangeWithin } from './address-list.ts';
import { isPatternWithin, type Limits, type Permissions } from './limits.ts';

/** From the least to the most. A developer is below everybody who restricts: what they set is not kept. */
export const LEVELS = ['developer', 'admin', 'owner', 'operator'] as const;
export type Level = (typeof LEVELS)[number];
export type RestrictingLevel = Exclude<Level, 'developer'>;

/** What can be restricted; of a project `archived` in place of `disabled`, and no expiry. */
export interface Restrictable {
  readonly disabled?: boolean;
  readonly archived?: boolean;
  readonly expiresAt?: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
}

export type FieldValue = true | number | Money | readonly string[];
/** By the name that the management API gives a field: `limits.budgets.day`. */
export type Ceiling = Readonly<Record<string, FieldValue>>;
export type Restrictions = Readonly<Partial<Record<RestrictingLevel, Ceiling>>>;

export const NO_RESTRICTIONS: Restrictions = Object.freeze({});
/** What is new, before anything is set. */
export const UNRESTRICTED: Restrictable = Object.freeze({ limits: {}, permissions: {} });

/**
 * The restrictions once somebody of this level has changed what stood before. Throws `GatewayError` `permission_denied` for what
 * would undo somebody above.
 */
export function restrict(
  before: Restrictable,
  after: Restrictable,
  restrictions: Restrictions,
  by: Level,
): Restrictions {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((name) => !isSame(was.get(name), is.get(name)));
  if (changed.length === 0) return restrictions;
  for (const level of levelsAbove(by)) checkWithin(restrictions[level] ?? {}, is, changed, level);
  const next: Partial<Record<RestrictingLevel, Ceiling>> = { ...restrictions };
  for (const level of levelsUpTo(by)) {
    const ceiling = { ...next[level] };
    for (const name of changed) {
      const value = is.get(name);
      if (level === by && value !== undefined) ceiling[name] = value;
      else delete ceiling[name];
    }
    if (Object.keys(ceiling).length === 0) delete next[level];
    else next[level] = ceiling;
  }
  return Object.keys(next).length === 0 ? NO_RESTRICTIONS : next;
}

/** What somebody of this level may not undo. */
export function ceilingsAbove(
  restrictions: Restrictions,
  by: Level,
): readonly (readonly [RestrictingLevel, Ceiling])[] {
  return levelsAbove(by).flatMap((level) => {
    const ceiling = restrictions[level];
    return ceiling === undefined ? [] : [[level, ceiling] as const];
  });
}

/** Without what somebody of this level may undo. */
export function liftedBy(restrictions: Restrictions, by: Level): Restrictions {
  return Object.fromEntries(ceilingsAbove(restrictions, by));
}

/** Each field that somebody restricted, with the highest level that did. */
export function describeRestrictions(restrictions: Restrictions): { field: string; by: RestrictingLevel }[] {
  const fields = new Map<string, RestrictingLevel>();
  for (const level of levelsAbove('developer'))
    for (const name of Object.keys(restrictions[level] ?? {})) fields.set(name, level);
  return [...fields].map(([field, by]) => ({ field, by }));
}

/** A setting that is none is absent. */
export function fieldsOf({
  disabled,
  archived,
  expiresAt,
  limits,
  permissions,
}: Restrictable): Map<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  const set = (name: string, value: FieldValue | null | undefined) => {
    if (value !== undefined && value !== null) fields.set(name, value);
  };
  set('disabled', disabled === true ? true : null);
  set('archived', archived === true ? true : null);
  set('expires_at', expiresAt);
  set('limits.requests_per_minute', limits.requestsPerMinute);
  set('limits.requests_per_day', limits.requestsPerDay);
  set('limits.tokens_per_minute', limits.tokensPerMinute);
  set('limits.concurrent_calls', limits.concurrentCalls);
  for (const window of BUDGET_WINDOWS) set(`limits.budgets.${window}`, limits.budgets?.[window]);
  set('permissions.operations', permissions.operations);
  set('permissions.models_allow', permissions.modelsAllow);
  set('permissions.models_deny', permissions.modelsDeny);
  set('permissions.ips', permissions.ips);
  return fields;
}

/** Whether a value of a field allows no more than another one. */
export function isWithin(name: string, value: FieldValue | undefined, bound: FieldValue): boolean {
  if (value === undefined) return false;
  if (bound === true || value === true) return bound === value;
  if (isList(bound)) return isList(value) && isListWithin(name, value, bound);
  return !isList(value) && value <= bound;
}

export function tooLoose(field: string, by: RestrictingLevel, about = 'It'): GatewayError {
  return new GatewayError('permission_denied', {
    message: `${about} was restricted by ${WHO[by]} (${field}): ask ${WHO_MAY[by]} to loosen it. You may make it tighter.`,
    param: field,
    facts: { restricted_by: by },
  });
}

const WHO: Readonly<Record<RestrictingLevel, string>> = {
  admin: 'an admin of the account',
  owner: 'an owner of the account',
  operator: 'an operator of this installation',
};
const WHO_MAY: Readonly<Record<RestrictingLevel, string>> = {
  admin: 'an admin or an owner',
  owner: 'an owner',
  operator: 'an operator',
};

function checkWithin(
  ceiling: Ceiling,
  fields: ReadonlyMap<string, FieldValue>,
  changed: readonly string[],
  level: RestrictingLevel,
): void {
  for (const name of changed) {
    const bound = ceiling[name];
    if (bound !== undefined && !isWithin(name, fields.get(name), bound)) throw tooLoose(name, level);
  }
}

function isListWithin(name: string, list: readonly string[], bound: readonly string[]): boolean {
  // What is denied must go on being denied; of what is allowed nothing may be new.
  if (name === 'permissions.models_deny')
    return bound.every((denied) => list.some((pattern) => isPatternWithin(denied, pattern)));
  const isInside =
    name === 'permissions.models_allow'
      ? isPatternWithin
      : name === 'permissions.ips'
        ? isRangeWithin
        : (value: string, other: string) => value === other;
  return list.every((value) => bound.some((other) => isInside(value, other)));
}

function isSame(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  if (one === undefined || other === undefined || !isList(one) || !isList(other)) return one === other;
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function isList(value: FieldValue): value is readonly string[] {
  return Array.isArray(value);
}

function levelsAbove(by: Level): readonly RestrictingLevel[] {
  return LEVELS.slice(LEVELS.indexOf(by) + 1) as RestrictingLevel[];
}

function levelsUpTo(by: Level): readonly RestrictingLevel[] {
  return LEVELS.slice(1, LEVELS.indexOf(by) + 1) as RestrictingLevel[];
}
