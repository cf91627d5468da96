/** What is between a process and the bank: messages are late, lost, or arrive twice. */
import type { ManualClock } from '../../../src/core/clock.ts';
import type { Random } from '../simulator/random.ts';
import type { SkewedClock } from './skewed-clock.ts';

export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Within this a connection that is cut is noticed. */
const CUT_NOTICED_MS = 1_500;

export class Network {
  /** Messages of either direction are lost. */
  isCut = false;
  readonly #true: ManualClock;
  readonly #own: SkewedClock;
  readonly #random: Random;
  readonly #saw: (what: string) => void;

  constructor(trueClock: ManualClock, own: SkewedClock, random: Random, saw: (what: string) => void) {
    this.#true = trueClock;
    this.#own = own;
    this.#random = random;
    this.#saw = saw;
  }

  /** Asks the bank. Rejects if the connection breaks, whether the bank was asked or not. `mayRepeat`: it may arrive twice. */
  ask<Answer>(run: () => Promise<Answer>, mayRepeat = true): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const random = this.#random;
    const breaks = () => this.#own.after(random.between(1, CUT_NOTICED_MS), () => reject(new Unreachable('cut')));
    if (this.isCut || random.chance(0.003)) {
      breaks();
      return promise;
    }
    const isTwice = mayRepeat && random.chance(0.01);
    if (isTwice) {
      this.#saw('message arrived twice');
      this.#true.after(this.#delay(), () => void run().catch(() => undefined));
    }
    this.#true.after(this.#delay(), () => {
      run().then(
        (answer) => {
          if (this.isCut || random.chance(0.005)) {
            this.#saw('answer lost after the commit');
            breaks();
          } else this.#true.after(this.#delay(), () => this.#own.arrives(() => resolve(answer)));
        },
        (error) => this.#own.arrives(() => reject(error)),
      );
    });
    return promise;
  }

  /** Mostly a moment; sometimes longer than anybody waits for. */
  #delay(): number {
    const random = this.#random;
    if (random.chance(0.002)) return random.between(100, 5_000);
    return random.chance(0.05) ? random.between(5, 60) : random.between(0, 3);
  }
}
