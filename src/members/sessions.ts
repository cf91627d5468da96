/**
 * Sessions: an opaque token in a cookie, with its digest in the store. Every request looks it up there, so an ended session, or one of a
 * disabled person, is refused from the next request on. Nothing is kept in memory.
 */
import type { Clock } from '../core/clock.ts';
import type { Session, SessionId, SignedIn, User, UserId, UserStore } from './ports.ts';
import { newToken, tokenDigest } from './token.ts';
import type { Visitor } from './visitor.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AWAITS_TOTP_MS = 10 * MINUTE_MS;
const IDLE_MS = 12 * HOUR_MS;
const LONGEST_MS = 30 * 24 * HOUR_MS;
/** A session in use is written at most this often. */
const TOUCH_MS = MINUTE_MS;
const USER_AGENT_LENGTH_MAX = 300;

export interface SessionsParts {
  readonly users: Pick<
    UserStore,
    | 'createSession'
    | 'sessionByDigest'
    | 'touchSession'
    | 'sessionsOf'
    | 'deleteSession'
    | 'deleteSessionsOf'
    | 'deleteSessionsBefore'
  >;
  readonly clock: Clock;
  readonly onProblem: (message: string, cause: unknown) => void;
}

/** A successful sign-in, possibly still awaiting the second factor. */
export interface Admission {
  readonly status: 'signed_in' | 'totp_required';
  /** For the cookie; not stored. */
  readonly token: string;
  readonly user: User;
}

export class Sessions {
  readonly #parts: SessionsParts;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /** Null if the token is unknown or expired, or its person is disabled. The session may still await its second factor. */
  async sessionOf(token: string): Promise<SignedIn | null> {
    const { users, clock } = this.#parts;
    const found = await users.sessionByDigest(tokenDigest(token));
    if (found === null || found.user.disabledAt !== null) return null;
    const { session, user } = found;
    const nowMs = clock.now();
    if (nowMs >= session.expiresAt) return null;
    if (session.state !== 'full' || nowMs - session.lastSeenAt < TOUCH_MS) return found;
    const expiresAt = Math.min(nowMs + IDLE_MS, session.createdAt + LONGEST_MS);
    try {
      await users.touchSession(session.id, nowMs, expiresAt);
    } catch (error) {
      // A full disk must not lock out the person who could find out why.
      this.#parts.onProblem('the time of a session could not be written', error);
      return found;
    }
    return { session: { ...session, lastSeenAt: nowMs, expiresAt }, user };
  }

  /** Signs in a person who proved the password or an equivalent; with a second factor the session awaits it. */
  admit(user: User, visitor: Visitor): Promise<Admission> {
    return this.#open(user, visitor, user.totpConfirmedAt === null ? 'full' : 'awaits_totp');
  }

  /** Signs in fully. */
  admitFully(user: User, visitor: Visitor): Promise<Admission> {
    return this.#open(user, visitor, 'full');
  }

  /** Active sessions, oldest first. */
  async list(userId: UserId): Promise<readonly Session[]> {
    const nowMs = this.#parts.clock.now();
    const sessions = await this.#parts.users.sessionsOf(userId);
    return sessions.filter(({ state, expiresAt }) => state === 'full' && nowMs < expiresAt);
  }

  /** Whether there was one of this person. */
  end(userId: UserId, id: SessionId): Promise<boolean> {
    return this.#parts.users.deleteSession(userId, id);
  }

  /** Ends all sessions of a person, except one. */
  endAll(userId: UserId, except: SessionId | null = null): Promise<void> {
    return this.#parts.users.deleteSessionsOf(userId, except);
  }

  /** Deletes expired sessions. Call it periodically. */
  sweep(): Promise<void> {
    return this.#parts.users.deleteSessionsBefore(this.#parts.clock.now());
  }

  /** Always a new token, so that one planted in the browser never becomes valid (session fixation). */
  async #open(user: User, visitor: Visitor, state: Session['state']): Promise<Admission> {
    const { users, clock } = this.#parts;
    await this.#endEarlier(visitor.sessionToken);
    const token = newToken();
    const nowMs = clock.now();
    const session = {
      userId: user.id,
      state,
      createdAt: nowMs,
      lastSeenAt: nowMs,
      expiresAt: nowMs + (state === 'full' ? IDLE_MS : AWAITS_TOTP_MS),
      ip: visitor.ip,
      userAgent: visitor.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
    };
    await users.createSession(session, tokenDigest(token));
    return { status: state === 'full' ? 'signed_in' : 'totp_required', token, user };
  }

  /** The browser has one cookie: its earlier session could no longer be ended by signing out. */
  async #endEarlier(token: string | null): Promise<void> {
    if (token === null) return;
    const { users } = this.#parts;
    const earlier = await users.sessionByDigest(tokenDigest(token));
    if (earlier !== null) await users.deleteSession(earlier.user.id, earlier.session.id);
  }
}
