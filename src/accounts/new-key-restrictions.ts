/**
 * A developer whose key somebody above restricted cannot escape that by creating another key: what restricts their keys of an account
 * restricts the new one too. The earlier time and the narrower list apply; if neither list is within the other, the key is refused. So is
 * another key in addition to one with a budget or rate from above, because its counters would start at zero.
 */
import { GatewayError } from '../core/errors.ts';
import type { Key } from './keys.ts';
import type { Limits, Permissions } from './limits.ts';
import { type FieldValue, fieldsOf, settingsOf } from './restrictable-fields.ts';
import { type Ceiling, ceilingsAbove, isWithin, type Restrictions, tooLoose } from './restrictions.ts';

export interface NewKeySettings {
  readonly expiresAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
}

/**
 * The settings, limited by what restricts these keys, and the restrictions that the new key takes over. Throws `GatewayError`
 * `permission_denied` if somebody above disabled one of them, set a budget, a rate or an expiry that has passed, or set a list that does
 * not fit.
 */
export function withinRestrictionsOf(
  keys: Iterable<Key>,
  settings: NewKeySettings,
  nowMs: number,
): NewKeySettings & { readonly restrictions: Restrictions } {
  const fields = fieldsOf(settings);
  const taken: Record<string, Record<string, FieldValue>> = {};
  for (const key of keys)
    for (const [level, ceiling] of ceilingsAbove(key.restrictions ?? {}, 'developer')) {
      if (ceiling['disabled'] === true) throw cannotReplace(key, level, 'disabled');
      for (const name of Object.keys(ceiling)) if (name.startsWith('limits.')) throw countsAnew(key, level, name);
      if (Number(ceiling['expires_at'] ?? Number.POSITIVE_INFINITY) <= nowMs)
        throw cannotReplace(key, level, 'expires_at');
      taken[level] ??= {};
      const ofLevel = taken[level];
      for (const [name, bound] of Object.entries(ceiling)) {
        const value = tighter(name, fields.get(name), bound);
        if (value === null) throw tooLoose(name, level, `Your key ${key.id} of this account`);
        fields.set(name, value);
        ofLevel[name] = value;
      }
    }
  const { expiresAt, limits, permissions } = settingsOf(fields);
  return { expiresAt, limits, permissions, restrictions: taken as Record<string, Ceiling> };
}

/** The tighter of the two; null if neither is within the other. */
function tighter(name: string, value: FieldValue | undefined, bound: FieldValue): FieldValue | null {
  if (value === undefined) return bound;
  if (isWithin(name, value, bound)) return value;
  return isWithin(name, bound, value) ? bound : null;
}

function countsAnew({ id, revokedAt }: Key, level: string, field: string): GatewayError {
  const who = whoIs(level);
  const way =
    revokedAt === null
      ? `or to remove that limit. To get a new secret, rotate key ${id}: both secrets share the limit.`
      : `or to revoke key ${id}, which you revoked yourself: that removes the limit.`;
  return new GatewayError('permission_denied', {
    message: `Your key ${id} was limited by ${who} (${field}), and a new key would start a new count. Ask ${who} to create the new key, ${way}`,
    param: field,
    facts: { restricted_by: level },
  });
}

function whoIs(level: string): string {
  return level === 'operator' ? 'an operator' : `an ${level}`;
}

function cannotReplace({ id }: Key, level: string, field: string): GatewayError {
  const who = whoIs(level);
  const what = field === 'disabled' ? 'was disabled' : 'was given an expiry';
  return new GatewayError('permission_denied', {
    message: `Your key ${id} of this account ${what} by ${who}, and a new key would bypass that. Ask ${who} to change or revoke it, or to create the new key.`,
    param: field,
    facts: { restricted_by: level },
  });
}
