/**
 * The connections to one origin, each with one request at a time. The one released last is reused first, in constant time;
 * undici's own `Pool` scans all connections twice for every request. https://undici.nodejs.org/#/docs/api/Client
 */
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { assert } from '../core/assert.ts';
import type { ProxyAddress } from './proxies.ts';

const HEADER_BYTES_MAX = 64 * 1024;

export interface ConnectionsParts {
  /** The origin that connections are opened to: the origin of the requests, or that of a forward proxy. */
  readonly origin: string;
  /** The proxy that receives requests with their absolute address; null if they are sent to the origin directly. */
  readonly forward: ProxyAddress | null;
  /** Shared, as TLS sessions are resumed through it. */
  readonly connector: buildConnector.connector;
  /** How long an idle connection is kept when the provider does not say. */
  readonly keepAliveMs: number;
}

/** A handler that knows whether its request was refused before it reached a connection. */
export interface RequestHandler extends Dispatcher.DispatchHandler {
  readonly wasRefused: boolean;
}

export class Connections {
  readonly #parts: ConnectionsParts;
  readonly #all = new Set<Connection>();
  /** Connections without a request; the last one is reused next. */
  readonly #idle: Connection[] = [];
  #closed: Promise<unknown> | null = null;

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
  }

  get forward(): ProxyAddress | null {
    return this.#parts.forward;
  }

  /** How many are open, with a request or without. */
  get open(): number {
    let open = 0;
    for (const { client } of this.#all) if (client.stats.connected) open += 1;
    return open;
  }

  /** Whether no request runs on any of them, and none is open. */
  get isUnused(): boolean {
    return this.#idle.length === this.#all.size && this.open === 0;
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: RequestHandler): void {
    assert(this.#closed === null, 'connections that are closed take no request');
    const connection = this.#idle.pop() ?? this.#connection();
    connection.isIdle = false;
    connection.client.dispatch(request, handler);
    // 'drain' is emitted only after a request, so a refused one releases it here.
    if (handler.wasRefused) this.#release(connection);
  }

  /** Resolves when running requests have ended and every connection is closed. */
  close(): Promise<unknown> {
    this.#closed ??= Promise.all(Array.from(this.#all, ({ client }) => client.close()));
    return this.#closed;
  }

  /** Cuts off running requests. */
  async destroy(): Promise<void> {
    this.#closed ??= Promise.resolve();
    await Promise.all(Array.from(this.#all, ({ client }) => client.destroy()));
  }

  #connection(): Connection {
    const { origin, connector, keepAliveMs } = this.#parts;
    const client = new Client(origin, {
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: HEADER_BYTES_MAX,
      keepAliveTimeout: keepAliveMs,
      connect: connector,
    });
    const connection: Connection = { client, isIdle: false };
    this.#all.add(connection);
    client.on('drain', () => this.#release(connection));
    client.on('disconnect', () => this.#forgetIdle(connection));
    return connection;
  }

  #release(connection: Connection): void {
    if (connection.isIdle || this.#closed !== null) return;
    connection.isIdle = true;
    this.#idle.push(connection);
  }

  /** Only idle ones: a request on a connection learns of its end by itself, and may connect again. */
  #forgetIdle(connection: Connection): void {
    if (!connection.isIdle || this.#closed !== null) return;
    this.#idle.splice(this.#idle.lastIndexOf(connection), 1);
    this.#all.delete(connection);
    void connection.client.destroy();
  }
}

interface Connection {
  readonly client: Client;
  isIdle: boolean;
}
