/** The context that a handler receives with its request. */

import type { Account } from '../../../accounts/ports.ts';
import { assert } from '../../../core/assert.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { AccountId } from '../../../core/ids.ts';
import type { Transactions } from '../../../core/transactions.ts';
import type { AuditActor, AuditStore, Role, User } from '../../../members/ports.ts';
import { isOperator, type Standing } from './choose-account.ts';
import type { Actor, Change, Context } from './handler.ts';

export interface RequestFacts {
  readonly actor: Actor;
  /** Null for a route without an account. */
  readonly standing: Standing | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly sessionToken: string | null;
  readonly deviceToken: string | null;
  readonly gone: AbortSignal;
}

export interface ContextParts {
  readonly clock: Clock;
  readonly auditLog: Pick<AuditStore, 'append'>;
  readonly transactions: Transactions;
  /** Writes a `Set-Cookie`; null if the connection cannot carry a session. */
  readonly setCookie: ((token: string | null) => void) | null;
  /** The same for the device cookie. */
  readonly setDevice: ((token: string) => void) | null;
  /** See `Context.checkStill`. */
  readonly checkStill: () => Promise<void>;
}

export class RequestContext implements Context {
  readonly actor: Actor;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly sessionToken: string | null;
  readonly deviceToken: string | null;
  readonly gone: AbortSignal;
  readonly #standing: Standing | null;
  readonly #parts: ContextParts;

  constructor(facts: RequestFacts, parts: ContextParts) {
    this.actor = facts.actor;
    this.ip = facts.ip;
    this.userAgent = facts.userAgent;
    this.requestId = facts.requestId;
    this.sessionToken = facts.sessionToken;
    this.deviceToken = facts.deviceToken;
    this.gone = facts.gone;
    this.#standing = facts.standing;
    this.#parts = parts;
  }

  get account(): Account {
    assert(this.#standing !== null, 'a route that needs a role is one of an account');
    return this.#standing.account;
  }

  /** Null for a route without an account. */
  get accountId(): AccountId | null {
    return this.#standing?.account.id ?? null;
  }

  get role(): Role {
    assert(this.#standing !== null, 'a route that needs a role is one of an account');
    return this.#standing.role;
  }

  get isOperator(): boolean {
    return isOperator(this.actor);
  }

  get user(): User {
    assert(this.actor.kind === 'user', 'a route that needs a person has one');
    return this.actor.user;
  }

  get actorId(): string {
    switch (this.actor.kind) {
      case 'user':
        return `user:${this.actor.user.id}`;
      case 'key':
        return `key:${this.actor.key.id}`;
      default:
        return this.actor.kind;
    }
  }

  checkCarriesSession(): void {
    if (this.#parts.setCookie === null) throw insecureConnection();
  }

  setSession(token: string | null): void {
    if (this.#parts.setCookie === null) throw insecureConnection();
    this.#parts.setCookie(token);
  }

  checkStill(): Promise<void> {
    return this.#parts.checkStill();
  }

  change<Result>(work: () => Promise<Result>): Promise<Result> {
    const { transactions, checkStill } = this.#parts;
    return transactions.run(async () => {
      await checkStill();
      return work();
    });
  }

  setDevice(token: string): void {
    this.#parts.setDevice?.(token);
  }

  auditDone(change: Change): Promise<void> {
    return this.#parts.transactions.run(() => this.audit(change));
  }

  audit({ action, subject, before, after, accountId, actor }: Change): Promise<void> {
    const { clock, auditLog, transactions } = this.#parts;
    assert(transactions.isOpen, 'an entry is written in the transaction of its change');
    return auditLog.append({
      at: clock.now(),
      actor: actor ?? auditedActor(this.actor),
      action,
      subject,
      accountId: accountId === undefined ? (this.#standing?.account.id ?? null) : accountId,
      before,
      after,
      ip: this.ip,
      requestId: this.requestId,
    });
  }
}

function insecureConnection(): GatewayError {
  return new GatewayError('permission_denied', {
    message:
      'The session would be sent unencrypted. Open the dashboard over https (set publicUrl, or list the proxy in trustProxy), or on the server itself.',
  });
}

function auditedActor(actor: Actor): AuditActor {
  switch (actor.kind) {
    case 'user':
      return { kind: 'user', id: actor.user.id, name: actor.user.email };
    case 'key':
      return { kind: 'key', id: actor.key.id, name: actor.key.name };
    case 'operator':
      return { kind: 'operator', id: null, name: 'Command line' };
    case 'nobody':
      return { kind: 'system', id: null, name: 'nobody' };
  }
}
