/**
 * Keeps callers' connections within the process's descriptors. Beyond what they allow, connections on which nothing happens are
 * closed and calls are shed, each with the end of its connection, while the remaining places are for requests that call no model:
 * health, metrics, management. A connection that finds not even such a place takes that of one whose request has not arrived
 * in a moment, so a caller that sends requests a byte at a time keeps nobody out; otherwise it is closed unread. Nothing has to
 * be done for this to end: connections close, and calls are let in again. The running ones do not notice.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '../core/clock.ts';
import { connectionsMax, type Descriptors } from '../gateway/capacity/descriptor-limit.ts';

/** Places for requests that call no model, at least, and as a part of all descriptors. */
const RESERVED_MIN = 16;
const RESERVED_PART = 0.05;
/** A connection without a request, of which nothing has arrived for so long, may be closed to make room. */
const QUIET_MS = 250;
/** How often quiet connections are searched, and the part of the time that this may take. */
const SEARCH_EVERY_MS = 100;
const SEARCH_PART = 0.01;
/** A request in a reserved place that has not arrived within this time gives its place to a new connection. */
const HEAD_MS = 250;
/** How many connections in reserved places are checked for one that wants a place. */
const CHECKED_MAX = 16;
/** Calls are let in again below this part of the maximum. */
const CALM_PART = 0.95;

export interface ConnectionGuardParts {
  readonly clock: Pick<Clock, 'monotonic' | 'every'>;
  readonly descriptors: Descriptors;
  /** Open connections to providers. */
  readonly upstream: () => number;
  readonly load: { crowded: boolean };
}

/**
 * `_httpMessage` is the answer that is being made on the connection. Node's own `closeIdleConnections` reads the same field,
 * but closes connections that have just been opened, too: https://github.com/nodejs/node/blob/main/lib/_http_server.js
 */
interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/** What was last seen of a connection. */
interface Seen {
  bytesRead: number;
  /** Monotonic, ms: since when it is as it is. */
  sinceMs: number;
}

export class ConnectionGuard {
  /** Connections closed right after they were opened, or without a whole request in a reserved place. */
  refused = 0;
  readonly #parts: ConnectionGuardParts;
  readonly #sockets = new Map<HttpSocket, Seen>();
  /** Those that were opened while there were too many, and when; the oldest first. */
  readonly #late = new Map<HttpSocket, number>();
  readonly #reserved: number;
  #max: number;
  #nextSearchMs = 0;
  /** Set while there are too many. */
  #searching: Timer | null = null;

  constructor(parts: ConnectionGuardParts) {
    this.#parts = parts;
    const { limit } = parts.descriptors;
    this.#reserved = Math.max(RESERVED_MIN, Math.floor((limit ?? 0) * RESERVED_PART));
    this.#max = limit === null ? Number.POSITIVE_INFINITY : connectionsMax(limit, parts.descriptors.count());
  }

  get open(): number {
    return this.#sockets.size;
  }

  /** How many connections may be open; `Infinity` if the number of descriptors is unknown. */
  get max(): number {
    return this.#max;
  }

  /** RLIMIT_NOFILE; null if unknown. */
  get limit(): number | null {
    return this.#parts.descriptors.limit;
  }

  /** How many descriptors are open; null if their number is unknown. Costs a directory listing. */
  get descriptors(): number | null {
    return this.#parts.descriptors.limit === null ? null : this.#parts.descriptors.count();
  }

  /** Whether answers have to close their connections. */
  get isCrowded(): boolean {
    return this.#searching !== null;
  }

  watch(server: Server): void {
    server.on('connection', (socket: HttpSocket) => this.#opened(socket));
  }

  close(): void {
    this.#searching?.cancel();
    this.#searching = null;
  }

  #opened(socket: HttpSocket): void {
    this.#sockets.set(socket, { bytesRead: 0, sinceMs: this.#parts.clock.monotonic() });
    socket.once('close', () => this.#closed(socket));
    if (this.#sockets.size <= this.#max) return;
    this.#search();
    if (this.#sockets.size <= this.#max) return;
    this.#parts.load.crowded = true;
    this.#searching ??= this.#parts.clock.every(SEARCH_EVERY_MS, () => this.#search());
    this.#late.set(socket, this.#parts.clock.monotonic());
    if (this.#sockets.size <= this.#max + this.#reserved) return;
    this.refused += 1;
    this.#end(this.#slowest() ?? socket);
  }

  /** One in a reserved place whose request should have arrived by now; null if none of a few is. Those with a request are checked last. */
  #slowest(): HttpSocket | null {
    const nowMs = this.#parts.clock.monotonic();
    let checksLeft = CHECKED_MAX;
    for (const [socket, openedMs] of this.#late) {
      if (nowMs - openedMs < HEAD_MS || checksLeft === 0) return null;
      if (!isBusy(socket)) return socket;
      checksLeft -= 1;
      this.#late.delete(socket);
      this.#late.set(socket, nowMs);
    }
    return null;
  }

  #closed(socket: HttpSocket): void {
    this.#sockets.delete(socket);
    this.#late.delete(socket);
    if (this.#searching === null || this.#sockets.size > CALM_PART * this.#max) return;
    this.#parts.load.crowded = false;
    this.close();
  }

  #end(socket: HttpSocket): void {
    socket.destroy();
    this.#closed(socket);
  }

  /** Counts again what else needs descriptors, and closes quiet connections. */
  #search(): void {
    const { clock, descriptors, upstream } = this.#parts;
    const startMs = clock.monotonic();
    if (startMs < this.#nextSearchMs) return;
    this.#max = connectionsMax(descriptors.limit, Math.max(0, descriptors.count() - this.#sockets.size - upstream()));
    if (this.#sockets.size > CALM_PART * this.#max) this.#closeQuiet(startMs);
    const endMs = clock.monotonic();
    this.#nextSearchMs = endMs + (endMs - startMs) / SEARCH_PART;
  }

  #closeQuiet(nowMs: number): void {
    for (const [socket, seen] of this.#sockets) {
      const { bytesRead } = socket;
      if (isBusy(socket) || bytesRead !== seen.bytesRead) {
        seen.bytesRead = bytesRead;
        seen.sinceMs = nowMs;
      } else if (nowMs - seen.sinceMs >= QUIET_MS) {
        this.#end(socket);
      }
    }
  }
}

/** Whether an answer is being made. */
function isBusy({ _httpMessage: answer }: HttpSocket): boolean {
  return answer !== null && answer !== undefined;
}
