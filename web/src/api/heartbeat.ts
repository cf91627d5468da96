/**
 * Whether the server can be reached: a visible page checks every other second, and any answer to another request
 * counts as well. Once nothing arrives it checks less and less often, up to every 15 s, until something does.
 */

/** `offline`: the browser has no network. `unreachable`: the server does not answer. */
export type Connection = 'online' | 'offline' | 'unreachable';

export interface HeartbeatParts {
  /** Resolves to whether the server answers; is abandoned when the signal is aborted. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>;
  /** Calls back after the given milliseconds; returns a function that cancels it. */
  readonly after: (ms: number, act: () => void) => () => void;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Whether the browser has a network. */
  readonly hasNetwork: () => boolean;
  /** Called on every change. */
  readonly onChange: () => void;
}

/** Together below 3 s: the latest time at which the page reports a lost server. */
export const PERIOD_MS = 1_250;
export const PATIENCE_MS = 1_500;
const FIRST_RETRY_MS = 1_000;
const RETRY_MS_MAX = 15_000;

export class Heartbeat {
  readonly #parts: HeartbeatParts;
  #connection: Connection = 'online';
  #isWatching = false;
  #failures = 0;
  /** Cancels the next step, a check or its timeout. */
  #forget: () => void = () => undefined;
  #asked: AbortController | null = null;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Checks immediately, and continues from there. */
  start(): void {
    this.#isWatching = true;
    this.#stopAsking();
    if (this.#parts.hasNetwork()) void this.#ask();
    else this.#become('offline');
  }

  /** For a hidden page. The last state stays. */
  stop(): void {
    this.#isWatching = false;
    this.#stopAsking();
  }

  /** The server answered another request of the page. */
  answered(): void {
    if (!this.#isWatching) return;
    this.#stopAsking();
    this.#alive();
  }

  /** Another request of the page failed to arrive. */
  failed(): void {
    if (this.#isWatching && this.#connection === 'online' && this.#asked === null) this.start();
  }

  async #ask(): Promise<void> {
    const asked = new AbortController();
    this.#asked = asked;
    this.#forget = this.#parts.after(PATIENCE_MS, () => asked.abort());
    const isAlive = await this.#parts.ask(asked.signal).catch(() => false);
    if (this.#asked !== asked) return;
    this.#stopAsking();
    if (isAlive) this.#alive();
    else this.#gone();
  }

  #alive(): void {
    this.#failures = 0;
    this.#forget = this.#parts.after(PERIOD_MS, () => void this.#ask());
    this.#become('online');
  }

  #gone(): void {
    const wait = Math.min(RETRY_MS_MAX, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Many pages that lost the same server do not all return in the same moment.
    this.#forget = this.#parts.after(wait * (0.75 + this.#parts.random() / 2), () => void this.#ask());
    this.#become('unreachable');
  }

  #stopAsking(): void {
    this.#forget();
    this.#forget = () => undefined;
    const asked = this.#asked;
    this.#asked = null;
    asked?.abort();
  }

  #become(connection: Connection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    this.#parts.onChange();
  }
}
