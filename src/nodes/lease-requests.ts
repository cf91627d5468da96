/**
 * A node's requests to the bank about its shares: one at a time for each purse, numbered, each with a time limit. A request
 * that was not answered may have been carried out; the next answer makes up for it.
 */
import type { Clock } from '../core/clock.ts';
import { type Money, nanoUsd } from '../core/money.ts';
import type { LentPurse } from './lent-purse.ts';
import type { LeaseAnswer, NodeBank, NodePlace, PurseRef, Returned, Want } from './ports.ts';

/** A bank that has not answered until then is taken to be away. */
export const ANSWER_WITHIN_MS = 2_000;

export interface LeaseRequestsParts {
  readonly bank: Pick<NodeBank, 'lease' | 'giveBack'>;
  readonly clock: Clock;
  /** The bank did not answer, or could not. */
  readonly onProblem: (cause: unknown) => void;
  /** The epoch is over. */
  readonly onOver: () => void;
}

/** More of a purse. */
export interface Asked {
  readonly purse: LentPurse;
  readonly shortfall: Money;
  readonly wish: Money;
}

export class LeaseRequests {
  place: NodePlace | null = null;
  /** The latest day of the bank's answers. */
  day = 0;
  readonly #parts: LeaseRequestsParts;
  #seq = 0;

  constructor(parts: LeaseRequestsParts) {
    this.#parts = parts;
  }

  /** Asks for more of purses without a request under way. Resolves to whether the bank answered, once they have what it lent. */
  ask(asked: readonly Asked[], isTogether: boolean): Promise<boolean> {
    const { place } = this;
    if (place === null) return Promise.resolve(false);
    const wants = asked.map((each) => this.#wantOf(each));
    return this.#during(
      asked.map(({ purse }) => purse),
      place,
      () => this.#parts.bank.lease(place, wants, isTogether),
      (answer) => this.#lent(asked, answer),
    );
  }

  /**
   * Gives back what no call holds, or all above `keptAtHand`, of purses without a request under way. From now on no call takes it.
   * `isLast`: nothing is held, and the purse is to be forgotten.
   */
  giveBack(purses: readonly LentPurse[], isLast = false, keptAtHand = 0n): Promise<boolean> {
    const { place } = this;
    if (place === null) return Promise.resolve(false);
    const returned = purses.map((purse) => this.#returnOf(purse, isLast, keptAtHand));
    return this.#during(
      purses,
      place,
      () => this.#parts.bank.giveBack(place, returned),
      (removed) => purses.forEach((purse, index) => void this.#returned(purse, isLast, removed[index] === true)),
    );
  }

  #wantOf({ purse, shortfall, wish }: Asked): Want {
    this.#seq += 1;
    return { purse: purse.ref, seq: this.#seq, shortfall, wish, budgets: purse.budgets };
  }

  #returnOf(purse: LentPurse, isLast: boolean, keptAtHand: bigint): Returned {
    this.#seq += 1;
    const keeps = purse.spent + purse.held + keptAtHand;
    if (keeps < purse.granted) purse.granted = keeps;
    purse.isReturning = false;
    purse.isClosing = isLast;
    return { purse: purse.ref, seq: this.#seq, keeps: nanoUsd(purse.granted), isLast };
  }

  async #during<Answer>(
    purses: readonly LentPurse[],
    place: NodePlace,
    send: () => Promise<Answer>,
    take: (answer: Answer) => void,
  ): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const purse of purses) purse.request = promise;
    const answer = await this.#answerOf(send);
    for (const purse of purses) purse.request = null;
    // What was lent under an epoch that is over is not used any more.
    const isOurs = this.place === place;
    if (isOurs && answer === null) for (const purse of purses) purse.isUnsure = true;
    if (isOurs && answer !== null) take(answer.value);
    resolve();
    return answer !== null;
  }

  /** Null if the bank did not answer in time, or could not. */
  async #answerOf<Answer>(send: () => Promise<Answer>): Promise<{ readonly value: Answer } | null> {
    const { clock, onProblem } = this.#parts;
    const late = Promise.withResolvers<null>();
    const timer = clock.after(ANSWER_WITHIN_MS, () => late.resolve(null));
    try {
      const value = await Promise.race([send().then((answer) => ({ value: answer })), late.promise]);
      if (value === null) onProblem(new Error(`The bank did not answer within ${ANSWER_WITHIN_MS} ms.`));
      return value;
    } catch (cause) {
      onProblem(cause);
      return null;
    } finally {
      timer.cancel();
    }
  }

  #lent(asked: readonly Asked[], answer: LeaseAnswer): void {
    if (answer.isOver) return this.#parts.onOver();
    if (answer.day > this.day) this.day = answer.day;
    let isKnown = true;
    for (const [index, { purse }] of asked.entries()) {
      const share = answer.shares[index];
      if (share === undefined || !purse.answered(share)) isKnown = false;
      else purse.refillBelow = purse.wishAtHand(this.#parts.clock.monotonic()) / 2n;
    }
    if (!isKnown) this.#parts.onOver();
  }

  #returned(purse: LentPurse, isLast: boolean, isRemoved: boolean): void {
    purse.isUnsure = false;
    if (!isLast) return;
    purse.isClosing = false;
    if (!isRemoved) return;
    purse.granted = 0n;
    purse.spent = 0n;
  }
}

/** `key 7`, for maps. */
export function purseName({ kind, id }: PurseRef): string {
  return `${kind} ${id}`;
}
