/**
 * Finds the actor of a request: at the dashboard's door the person of the session cookie, at that of programs a management key, at the
 * control socket the operator. No door accepts the credentials of another.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Key } from '../../../accounts/keys.ts';
import { assert } from '../../../core/assert.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { Session, User } from '../../../members/ports.ts';
import type { Actor } from './handler.ts';
import type { OwnAddress } from './own-address.ts';
import { checkSameOrigin } from './same-origin.ts';
import { readSessionCookie } from './session-cookie.ts';

export interface Sessions {
  /** The session of a token, which is not verified yet; null if it is unknown or expired, or its person may no longer sign in. */
  sessionOf(token: string): Promise<{ readonly user: User; readonly session: Session } | null>;
}

export interface KeyDoor {
  /** The good key of a request. Throws `GatewayError`; the answer to a bad key may be delayed. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Key> | Key;
  /**
   * The current state of the key, as far as this node follows what others change; if it does not, what they changed is read first. Throws
   * `GatewayError` 401 immediately if it is no longer good, 503 if that cannot be found out.
   */
  checkStillGood(key: Key): Promise<Key>;
  /** Throws `GatewayError` `permission_denied` if the key may not be used from this address. */
  checkAddress(key: Key, request: FastifyRequest): void;
}

export interface Found {
  readonly actor: Actor;
  /** From the cookie, not verified. */
  readonly sessionToken: string | null;
}

export interface ActorFinder {
  /** Called when the head of a request has arrived. */
  find(request: FastifyRequest, reply: FastifyReply): Promise<Found>;
  /** Called again later, because rights must be valid when they are used. Never waits for long. */
  findAgain(found: Found, request: FastifyRequest): Promise<Found>;
}

/** `nobody` without a session, or if it awaits its second factor. Throws for a change that was not requested by our own page. */
export function bySession(sessions: Sessions, address: OwnAddress): ActorFinder {
  const find = async ({ raw }: FastifyRequest): Promise<Found> => {
    checkSameOrigin(raw, address);
    const token = address.mayCarrySession(raw) ? readSessionCookie(raw.headers.cookie, address.cookiePlace(raw)) : null;
    const found = token === null ? null : await sessions.sessionOf(token);
    if (found === null || found.session.state !== 'full') return { actor: { kind: 'nobody' }, sessionToken: token };
    return { actor: { kind: 'user', user: found.user, session: found.session }, sessionToken: token };
  };
  return { find, findAgain: (_found, request) => find(request) };
}

export function byManagementKey(keys: KeyDoor): ActorFinder {
  const foundAt = (key: Key, request: FastifyRequest): Found => {
    keys.checkAddress(key, request);
    return { actor: { kind: 'key', key }, sessionToken: null };
  };
  return {
    async find(request, reply) {
      const key = await keys.identify(request, reply);
      if (key.kind !== 'management')
        throw new GatewayError('permission_denied', {
          message: 'This is an inference key, which cannot manage the account. Use a management key.',
        });
      return foundAt(key, request);
    },
    async findAgain({ actor }, request) {
      assert(actor.kind === 'key', 'at this door keys ask');
      return foundAt(await keys.checkStillGood(actor.key), request);
    },
  };
}

const OPERATOR: Found = { actor: { kind: 'operator' }, sessionToken: null };

/** Any process that may open the control socket. */
export const byControlSocket: ActorFinder = { find: async () => OPERATOR, findAgain: async () => OPERATOR };
