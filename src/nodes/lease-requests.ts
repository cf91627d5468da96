/**
 * A node's requests to the bank about its shares: one at a time for each purse, numbered, each with a time limit. A request
 * that was not answered may have been carried out; the next answer makes up for it. An answer that comes after the limit counts for every
 * purse that no later request was about, so a slow bank still lends: only calls do not wait for it.
 */
import type { Clock } from '../core/clock.ts';
import { type Money, nanoUsd } from '../core/money.ts';
import { Outage } from '../core/trouble/outage.ts';
import type { LentPurse } from './lent-purse.ts';
import type { LeaseAnswer, NodeBank, NodePlace, PurseRef, Returned, Want } from './ports.ts';

/** A bank that has not answered until then is taken to be away. */
export const ANSWER_WITHIN_MS = 2_000;

export interface LeaseRequestsParts {
  readonly bank: Pick<NodeBank, 'lease' | 'giveBack'>;
  readonly clock: Clock;
  /** The bank did not answer, or could not: called for the first failure of a row. */
  readonly onProblem: (cause: unknown) => void;
  /** The bank answers again, after it did not for this long. */
  readonly onAnswered: (afterMs: number) => void;
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
  readonly #outage: Outage;

  constructor(parts: LeaseRequestsParts) {
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
  }

  /** Asks for more of purses without a request under way. Resolves to whether the bank answered, once they have what it lent. */
  ask(asked: readonly Asked[], isTogether: boolean): Promise<boolean> {
    const { place } = this;
    if (place === null || asked.some(({ purse }) => purse.isOver)) return Promise.resolve(false);
    const wants = asked.map((each) => this.#wantOf(each));
    return this.#during(
      asked.map(({ purse }) => purse),
      place,
      () => this.#parts.bank.lease(place, wants, isTogether),
      (answer, isCurrent) => this.#lent(asked, answer, isCurrent),
    );
  }

  /**
   * Gives back what no call holds, or all above `keptAtHand`, of purses without a request under way. From now on no call takes it.
   * `isLast`: nothing is held, and the purse is to be forgotten.
   */
  giveBack(purses: readonly LentPurse[], isLast = false, keptAtHand = 0n): Promise<boolean> {
    const { place } = this;
    // What an earlier place was lent says nothing about what this one has of the same purse.
    if (place === null || purses.some((purse) => purse.isOver)) return Promise.resolve(false);
    const returned = purses.map((purse) => this.#returnOf(purse, isLast, keptAtHand));
    return this.#during(
      purses,
      place,
      () => this.#parts.bank.giveBack(place, returned),
      (removed, isCurrent) => {
        for (const [index, purse] of purses.entries())
          if (isCurrent(purse)) this.#returned(purse, isLast, removed[index] === true);
      },
    );
  }

  #wantOf({ purse, shortfall, wish }: Asked): Want {
    this.#seq += 1;
    purse.lastSeq = this.#seq;
    return { purse: purse.ref, seq: this.#seq, shortfall, wish, budgets: purse.budgets };
  }

  #returnOf(purse: LentPurse, isLast: boolean, keptAtHand: bigint): Returned {
    this.#seq += 1;
    purse.lastSeq = this.#seq;
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
    take: (answer: Answer, isCurrent: (purse: LentPurse) => boolean) => void,
  ): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const numbers = new Map(purses.map((purse) => [purse, purse.lastSeq]));
    for (const purse of purses) purse.request = promise;
    const sent = send();
    const answer = await this.#answerOf(sent);
    for (const purse of purses) purse.request = null;
    // What was lent under an epoch that is over is not used any more.
    const isOurs = () => this.place === place;
    if (isOurs() && answer === null) for (const purse of purses) purse.isUnsure = true;
    if (isOurs() && answer !== null) take(answer.value, () => true);
    resolve();
    if (answer !== null) return true;
    void sent.then(
      (late) => void (isOurs() && take(late, (purse) => purse.lastSeq === numbers.get(purse))),
      () => undefined,
    );
    return false;
  }

  /** Null if the bank did not answer in time, or could not. */
  async #answerOf<Answer>(sent: Promise<Answer>): Promise<{ readonly value: Answer } | null> {
    const late = Promise.withResolvers<null>();
    const timer = this.#parts.clock.after(ANSWER_WITHIN_MS, () => late.resolve(null));
    try {
      const answer = await Promise.race([sent.then((value) => ({ value })), late.promise]);
      if (answer === null) this.#failed(new Error(`The bank did not answer within ${ANSWER_WITHIN_MS} ms.`));
      else this.#answered();
      return answer;
    } catch (cause) {
      this.#failed(cause);
      return null;
    } finally {
      timer.cancel();
    }
  }

  #failed(cause: unknown): void {
    if (this.#outage.failed()) this.#parts.onProblem(cause);
  }

  #answered(): void {
    const lastedMs = this.#outage.worked();
    if (lastedMs !== null) this.#parts.onAnswered(lastedMs);
  }

  #lent(asked: readonly Asked[], answer: LeaseAnswer, isCurrent: (purse: LentPurse) => boolean): void {
    if (answer.isOver) return this.#parts.onOver();
    if (answer.day > this.day) this.day = answer.day;
    let isKnown = true;
    for (const [index, { purse }] of asked.entries()) {
      if (!isCurrent(purse)) continue;
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
