/**
 * Records who restricted a key or a project, so that nobody below can undo it. The values that each level set are kept; people below may
 * set tighter values but not looser ones.
 */
import { GatewayError } from '../core/errors.ts';
import { isRangeWithin } from './address-list.ts';
import { isPatternWithin } from './limits.ts';
import { type FieldValue, fieldsOf, isList, isSame, type Restrictable } from './restrictable-fields.ts';

/** From lowest to highest. What a developer sets is not kept, because nobody is below a developer. */
export const LEVELS = ['developer', 'admin', 'owner', 'operator'] as const;
export type Level = (typeof LEVELS)[number];
export type RestrictingLevel = Exclude<Level, 'developer'>;

/** Values by the field's name in the management API: `limits.budgets.day`. */
export type Ceiling = Readonly<Record<string, FieldValue>>;
export type Restrictions = Readonly<Partial<Record<RestrictingLevel, Ceiling>>>;

export const NO_RESTRICTIONS: Restrictions = Object.freeze({});
/** The state of a new key or project before anything is set. */
export const UNRESTRICTED: Restrictable = Object.freeze({ limits: {}, permissions: {} });

/**
 * The restrictions after somebody of this level changed `before` to `after`. Fields named in `given` become theirs even if the value stays
 * the same. Throws `GatewayError` `permission_denied` if the change would undo somebody above.
 */
export function restrict(
  before: Restrictable,
  after: Restrictable,
  restrictions: Restrictions,
  by: Level,
  given: readonly string[] = [],
): Restrictions {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = new Set([...was.keys(), ...is.keys()]);
  const changed = [...names].filter((name) => !isSame(was.get(name), is.get(name)) || given.includes(name));
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

/** The values that somebody of this level may not undo. */
export function ceilingsAbove(
  restrictions: Restrictions,
  by: Level,
): readonly (readonly [RestrictingLevel, Ceiling])[] {
  return levelsAbove(by).flatMap((level) => {
    const ceiling = restrictions[level];
    return ceiling === undefined ? [] : [[level, ceiling] as const];
  });
}

/** The restrictions without those that somebody of this level may undo. */
export function liftedBy(restrictions: Restrictions, by: Level): Restrictions {
  return Object.fromEntries(ceilingsAbove(restrictions, by));
}

/** Each restricted field, with the highest level that restricted it. */
export function describeRestrictions(restrictions: Restrictions): { field: string; by: RestrictingLevel }[] {
  const fields = new Map<string, RestrictingLevel>();
  for (const level of levelsAbove('developer'))
    for (const name of Object.keys(restrictions[level] ?? {})) fields.set(name, level);
  return [...fields].map(([field, by]) => ({ field, by }));
}

/** Whether a value of a field allows no more than `bound`. */
export function isWithin(name: string, value: FieldValue | undefined, bound: FieldValue): boolean {
  if (value === undefined) return false;
  if (bound === true || value === true) return bound === value;
  if (isList(bound)) return isList(value) && isListWithin(name, value, bound);
  return !isList(value) && value <= bound;
}

/** The value that allows exactly what both allow. */
export function tightest(
  name: string,
  one: FieldValue | undefined,
  other: FieldValue | undefined,
): FieldValue | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (isWithin(name, one, other)) return one;
  if (isWithin(name, other, one) || !isList(one) || !isList(other)) return other;
  if (name === 'permissions.models_deny') return [...one, ...other];
  return [
    ...one.filter((entry) => isWithin(name, [entry], other)),
    ...other.filter((entry) => isWithin(name, [entry], one)),
  ];
}

export function tooLoose(field: string, by: RestrictingLevel, about = 'It'): GatewayError {
  return new GatewayError('permission_denied', {
    message: `${about} was restricted by ${WHO[by]} (${field}). You can make it stricter; ask ${WHO_MAY[by]} to loosen it.`,
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
  // Denied entries must stay denied; allowed entries may not be added.
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

function levelsAbove(by: Level): readonly RestrictingLevel[] {
  return LEVELS.slice(LEVELS.indexOf(by) + 1) as RestrictingLevel[];
}

function levelsUpTo(by: Level): readonly RestrictingLevel[] {
  return LEVELS.slice(1, LEVELS.indexOf(by) + 1) as RestrictingLevel[];
}
