/**
 * Whether the server can be reached: a page that can be seen asks every other second, and any answer to another question
 * counts as well. Once nothing comes back it asks less and less often, up to every 15 s, until something does.
 */

/** `offline`: the browser has no network. `unreachable`: the server does not answer. */
export type Connection = 'online' | 'offline' | 'unreachable';

export interface HeartbeatParts {
  /** Resolves to whether the server answers; is given up when the signal is aborted. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>;
  /** Calls back after so many milliseconds; gives back how to take that back. */
  readonly after: (ms: number, act: () => void) => () => void;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Whether the browser has a network. */
  readonly hasNetwork: () => boolean;
  /** Told of every change. */
  readonly onChange: () => void;
}

/** Together below 3 s: so late the page says at the latest that the server is gone. */
export const PERIOD_MS = 1_250;
export const PATIENCE_MS = 1_500;
const FIRST_RETRY_MS = 1_000;
const RETRY_MS_MAX = 15_000;

export class Heartbeat {
  readonly #parts: HeartbeatParts;
  #connection: Connection = 'online';
  #isWatching = false;
  #failures = 0;
  /** Takes back what comes next, a question or its end. */
  #forget: () => void = () => undefined;
  #asked: AbortController | null = null;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Asks at once, and goes on from there. */
  start(): void {
    this.#isWatching = true;
    this.#stopAsking();
    if (this.#parts.hasNetwork()) void this.#ask();
    else this.#become('offline');
  }

  /** For a page that nobody sees. What was said stays. */
  stop(): void {
    this.#isWatching = false;
    this.#stopAsking();
  }

  /** The server answered something else that the page asked for. */
  answered(): void {
    if (!this.#isWatching) return;
    this.#stopAsking();
    this.#alive();
  }

  /** Something else that the page asked for did not arrive. */
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
    // Many pages that lost the same server do not come back at once.
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
