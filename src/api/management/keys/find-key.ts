/** Finds the key of a route, and checks who may change it. */
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Key, KeyKind } from '../../../accounts/keys.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { AccountId } from '../../../core/ids.ts';
import { keyId } from '../../../core/ids.ts';
import { isAtLeast } from '../../../members/roles.ts';
import type { Context } from '../door/handler.ts';

const ID = /^[1-9]\d{0,15}$/;
/** Hexadecimal of the 32 bytes of a digest. */
const HASH = /^[0-9a-f]{64}$/;

/** How OpenRouter's clients identify a key: the keyed digest of its secret, which reveals nothing without the pepper. */
export function hashOf(key: Key): string {
  return key.digest.toString('hex');
}

/** By its hash or its id. Throws `GatewayError` `not_found`, also for a key of another account. */
export function findKey(keys: Pick<KeyRegistry, 'get' | 'findDigest'>, account: AccountId, reference: string): Key {
  const key = ID.test(reference)
    ? keys.get(keyId(Number(reference)))
    : HASH.test(reference)
      ? keys.findDigest(Buffer.from(reference, 'hex'))
      : null;
  if (key === null || key.accountId !== account) throw noKey();
  return key;
}

export function noKey(): GatewayError {
  return new GatewayError('not_found', { message: 'The key does not exist.', param: 'key' });
}

/**
 * Check before a key is changed: a developer may change keys that they created, an admin all; management keys only an admin who is a
 * person, or a command. Throws `GatewayError` `permission_denied`.
 */
export function checkMayChange(context: Pick<Context, 'actor' | 'role' | 'actorId'>, key: Key): void {
  checkMayManage(context, key.kind);
  checkMayRevoke(context, key);
}

/**
 * A management key cannot manage management keys, including itself: a leaked one could survive its revocation. Throws `GatewayError`
 * `permission_denied`.
 */
export function checkMayManage({ actor }: Pick<Context, 'actor'>, kind: KeyKind): void {
  if (kind === 'management' && actor.kind === 'key')
    throw new GatewayError('permission_denied', {
      message: 'Management keys can only manage inference keys; use the dashboard or a command for management keys.',
    });
}

/** Like `checkMayChange`, except that management keys may revoke any key of their account, including themselves, in case one has leaked. */
export function checkMayRevoke(context: Pick<Context, 'role' | 'actorId'>, key: Key): void {
  if (isAdmin(context)) return;
  if (key.kind === 'management')
    throw new GatewayError('permission_denied', { message: 'Only admins can change management keys.' });
  if (key.createdBy !== context.actorId)
    throw new GatewayError('permission_denied', { message: 'Developers can only change keys they created.' });
}

export function isAdmin({ role }: Pick<Context, 'role'>): boolean {
  return isAtLeast(role, 'admin');
}
