/**
 * The connections to one origin, each with one request at a time. The one that was let go of last is taken first, in
 * the same time however many there are: undici's own `Pool` looks through all of them twice for every request.
 * https://undici.nodejs.org/#/docs/api/Client
 */
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { assert } from '../core/assert.ts';
import type { ProxyAddress } from './proxies.ts';

const HEADER_BYTES_MAX = 64 * 1024;

export interface ConnectionsParts {
  /** Where connections are opened to: that of the requests, or that of a proxy which is told where each of them goes. */
  readonly origin: string;
  /** The proxy that requests are sent to with their whole address; null where they are sent to the origin itself. */
  readonly forward: ProxyAddress | null;
  /** Shared, as TLS sessions are resumed through it. */
  readonly connector: buildConnector.connector;
  /** How long an idle connection is kept when the provider does not say. */
  readonly keepAliveMs: number;
}

/** A handler that knows whether its request was refused before any connection had it. */
export interface RequestHandler extends Dispatcher.DispatchHandler {
  readonly wasRefused: boolean;
}

export class Connections {
  readonly #parts: ConnectionsParts;
  readonly #all = new Set<Connection>();
  /** Those without a request; the last is the next to be taken. */
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

  dispatch(request: Dispatcher.DispatchOptions, handler: RequestHandler): void {
    assert(this.#closed === null, 'connections that are closed take no request');
    const connection = this.#idle.pop() ?? this.#connection();
    connection.isIdle = false;
    connection.client.dispatch(request, handler);
    // It says that it has room again once it had a request.
    if (handler.wasRefused) this.#release(connection);
  }

  /** Resolves when the requests on their way have ended and all is closed. */
  close(): Promise<unknown> {
    this.#closed ??= Promise.all(Array.from(this.#all, ({ client }) => client.close()));
    return this.#closed;
  }

  /** Cuts the requests on their way. */
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

  /** One that has a request tells it of its end by itself, and may connect again. */
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
