/**
 * Whether the server answers. The pulse finds that out, because it is sent four times a second. While it gets no answer, a statement that
 * somebody waits for fails at once, and one under way fails, too: nobody waits as long as a slow statement may take.
 */
import { type Clock, systemClock } from '../../../core/clock.ts';
import { isSilence, ServerSilent } from './postgres-errors.ts';

/** What was found out is believed for so long: two pulses that wait for a connection. A node without a place sends none. */
const BELIEVED_MS = 11_000;

/**
 * How a role asks the server: `ask` begins it, and `late` receives an answer that nobody waits for any more.
 */
export type Asking = <Answer>(ask: () => Promise<Answer>, late?: (answer: Answer) => void) => Promise<Answer>;

export class Contact {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #silentAt = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Set<(silent: ServerSilent) => void>();

  /** Real time by default, as for every limit of a connection. */
  constructor(clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#clock = clock;
  }

  /** For the role whose answers show whether the server is there. */
  readonly finding: Asking = async (ask) => {
    try {
      const answer = await ask();
      this.#silentAt = Number.NEGATIVE_INFINITY;
      return answer;
    } catch (error) {
      if (isSilence(error)) this.#fell();
      throw error;
    }
  };

  /** For a role that does not wait for a server that is not there. */
  readonly impatient: Asking = (ask, late) => {
    if (this.#clock.monotonic() - this.#silentAt < BELIEVED_MS) return Promise.reject(new ServerSilent());
    return new Promise((resolve, reject) => {
      let isLate = false;
      const give = (silent: ServerSilent) => {
        isLate = true;
        reject(silent);
      };
      this.#waiting.add(give);
      ask()
        .then((answer) => (isLate ? late?.(answer) : resolve(answer)), reject)
        .finally(() => this.#waiting.delete(give));
    });
  };

  #fell(): void {
    this.#silentAt = this.#clock.monotonic();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const give of waiting) give(new ServerSilent());
  }
}

/** For every other role: each statement has its own time limit. */
export const patient: Asking = (ask) => ask();
