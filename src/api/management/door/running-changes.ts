/**
 * Bounds how many changes one person or management key has under way: the database makes changes one at a time, so more of them only wait. What
 * takes something away, such as a revocation, is counted apart and waits before the others (`core/transactions.ts`).
 */

import { GatewayError } from '../../../core/errors.ts';
import { isObject } from '../../../core/json-object.ts';
import { asChangeOf, type ChangeTurn } from '../../../core/transactions.ts';
import type { Actor } from './handler.ts';
import { isSafe } from './same-origin.ts';

const OF_ONE_MAX = 32;
const RETRY_AFTER_SECONDS = 1;

export interface AskedChange {
  readonly method: string;
  readonly body: unknown;
  readonly actor: Actor;
  /** The client's address; null if it is not known. */
  readonly ip: string | null;
}

export class RunningChanges {
  readonly #ofOneMax: number;
  readonly #running = new Map<string, number>();

  constructor(ofOneMax = OF_ONE_MAX) {
    this.#ofOneMax = ofOneMax;
  }

  /**
   * Runs `work`; a change is counted until it ends, and waits for the database in the line of its actor. Throws `GatewayError`
   * `rate_limit_exceeded` if the actor has too many under way.
   */
  async run<Result>(asked: AskedChange, work: () => Promise<Result>): Promise<Result> {
    if (isSafe(asked.method)) return work();
    const turn = turnOf(asked);
    const counted = countedAs(asked.actor);
    if (counted === null) return asChangeOf(turn, work);
    const leave = this.#enter(turn.isUrgent ? `${counted} urgent` : counted);
    try {
      return await asChangeOf(turn, work);
    } finally {
      leave();
    }
  }

  #enter(counted: string): () => void {
    const running = this.#running.get(counted) ?? 0;
    if (running >= this.#ofOneMax)
      throw new GatewayError('rate_limit_exceeded', {
        message: `You have ${running} changes under way. Wait for one of them to end, then send the next.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.#running.set(counted, running + 1);
    return () => {
      const left = (this.#running.get(counted) ?? 1) - 1;
      if (left === 0) this.#running.delete(counted);
      else this.#running.set(counted, left);
    };
  }
}

/** Null: not counted. Guesses at sign-in are limited elsewhere, and operators at the machine are trusted. */
function countedAs(actor: Actor): string | null {
  if (actor.kind === 'user') return `user:${actor.user.id}`;
  return actor.kind === 'key' ? `key:${actor.key.id}` : null;
}

/** All keys of an account wait in one line, because one person can have many of them. */
function turnOf({ method, body, actor, ip }: AskedChange): ChangeTurn {
  const isUrgent = method === 'DELETE' || (isObject(body) && body.disabled === true);
  switch (actor.kind) {
    case 'user':
      return { by: `user:${actor.user.id}`, isUrgent };
    case 'key':
      return { by: `account:${actor.key.accountId}`, isUrgent };
    case 'operator':
      return { by: 'operator', isUrgent };
    case 'nobody':
      return { by: `address:${ip}`, isUrgent: false };
  }
}
