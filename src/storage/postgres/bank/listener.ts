/** Listens to what the bank notifies: an accelerator that nothing relies on. A connection that is lost is replaced after a second. */
import type { Clock, Timer } from '../../../core/clock.ts';
import type { HeldConnection, Role } from '../engine/connections.ts';

const AGAIN_MS = 1_000;

export class Listener {
  readonly #role: Role;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #wake: () => void;
  #connection: HeldConnection | null = null;
  #again: Timer | null = null;
  #isOver = false;

  constructor(role: Role, clock: Pick<Clock, 'after'>, wake: () => void) {
    this.#role = role;
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Resolves when it listens, or has found that it cannot now. */
  async start(): Promise<void> {
    this.#again = null;
    try {
      const connection = await this.#role.acquire();
      this.#connection = connection;
      connection.client.on('notification', this.#wake);
      connection.client.once('end', this.#lost);
      await connection.query('listen turnpike');
      if (this.#isOver) this.#release(true);
    } catch {
      // The pulse reports a database that does not answer.
      this.#lost();
    }
  }

  stop(): void {
    this.#isOver = true;
    this.#again?.cancel();
    this.#release(true);
  }

  readonly #lost = () => {
    this.#release(true);
    if (!this.#isOver && this.#again === null) this.#again = this.#clock.after(AGAIN_MS, () => void this.start());
  };

  #release(isBroken: boolean): void {
    const connection = this.#connection;
    if (connection === null) return;
    this.#connection = null;
    connection.client.off('notification', this.#wake);
    connection.client.off('end', this.#lost);
    connection.release(isBroken);
  }
}
