/**
 * Who stands at a door: at the dashboard's the person of the session cookie, at that of programs the holder of a
 * management key, at the control socket the operator. No door looks at what another one goes by.
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
  /** Of a token as it came: null when it is unknown or over, or its person may not sign in any more. */
  sessionOf(token: string): Promise<{ readonly user: User; readonly session: Session } | null>;
}

export interface KeyDoor {
  /** The good key that a request carries. Throws `GatewayError`; a bad one may be kept waiting. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Key> | Key;
  /** The key as it stands now. Throws `GatewayError` 401 at once where it is not good any more. */
  checkStillGood(key: Key): Key;
  /** Throws `GatewayError` `permission_denied` where the key may not be used from this address. */
  checkAddress(key: Key, request: FastifyRequest): void;
}

export interface Found {
  readonly actor: Actor;
  /** Of the cookie, whatever it is worth. */
  readonly sessionToken: string | null;
}

export interface WhoAsks {
  /** When the head of a request has come. */
  find(request: FastifyRequest, reply: FastifyReply): Promise<Found>;
  /** Once more, when time has passed: rights are those of the moment they are used. Never waits for long. */
  findAgain(found: Found, request: FastifyRequest): Promise<Found>;
}

/** Nobody without a session, or with one that awaits its second factor. Throws where a change is not our own page's. */
export function bySession(sessions: Sessions, address: OwnAddress): WhoAsks {
  const find = async ({ raw }: FastifyRequest): Promise<Found> => {
    checkSameOrigin(raw, address);
    const token = address.mayCarrySession(raw) ? readSessionCookie(raw.headers.cookie, address.cookiePlace(raw)) : null;
    const found = token === null ? null : await sessions.sessionOf(token);
    if (found === null || found.session.state !== 'full') return { actor: { kind: 'nobody' }, sessionToken: token };
    return { actor: { kind: 'user', user: found.user, session: found.session }, sessionToken: token };
  };
  return { find, findAgain: (_found, request) => find(request) };
}

export function byManagementKey(keys: KeyDoor): WhoAsks {
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
      return foundAt(keys.checkStillGood(actor.key), request);
    },
  };
}

const OPERATOR: Found = { actor: { kind: 'operator' }, sessionToken: null };

/** Whoever may open the control socket. */
export const byControlSocket: WhoAsks = { find: async () => OPERATOR, findAgain: async () => OPERATOR };
