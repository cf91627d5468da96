/**
 * The connections to one origin, each with one request at a time. The one released last is reused first, in constant time;
 * undici's own `Pool` scans all connections twice for every request. https://undici.nodejs.org/#/docs/api/Client
 */
import type { Socket } from 'node:net';
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

export interface RequestHandler extends Dispatcher.DispatchHandler {
  /** Whether the request was refused before it reached a connection. */
  readonly wasRefused: boolean;
  /** Set to the connection that the request is sent on if an earlier request used it; null if it is a new one. */
  reused: ReusedConnection | null;
}

/** A connection that was open before the request was sent: the provider may be closing it at this moment. */
export class ReusedConnection {
  readonly #socket: Socket;
  readonly #readBefore: number;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#readBefore = socket.bytesRead;
  }

  /** Whether nothing has arrived on it since the request was sent. */
  get isSilent(): boolean {
    return this.#socket.bytesRead === this.#readBefore;
  }
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

  /** `isNew`: on a connection that no request has used. */
  dispatch(request: Dispatcher.DispatchOptions, handler: RequestHandler, isNew = false): void {
    assert(this.#closed === null, 'connections that are closed take no request');
    const connection = (isNew ? undefined : this.#idle.pop()) ?? this.#connection();
    connection.isIdle = false;
    connection.handler = handler;
    if (connection.socket !== null) handler.reused = new ReusedConnection(connection.socket);
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
    const connect: buildConnector.connector = (options, done) =>
      connector(options, (...opened) => {
        const [error, socket] = opened;
        connection.socket = error === null ? socket : null;
        // undici connects again if the connection was closed before the request was sent.
        if (connection.handler !== null) connection.handler.reused = null;
        done(...opened);
      });
    const client = new Client(origin, {
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: HEADER_BYTES_MAX,
      keepAliveTimeout: keepAliveMs,
      connect,
    });
    const connection: Connection = { client, isIdle: false, socket: null, handler: null };
    this.#all.add(connection);
    client.on('drain', () => this.#release(connection));
    client.on('disconnect', () => {
      connection.socket = null;
      this.#forgetIdle(connection);
    });
    return connection;
  }

  #release(connection: Connection): void {
    if (connection.isIdle || this.#closed !== null) return;
    connection.isIdle = true;
    connection.handler = null;
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
  /** Set while it is open. */
  socket: Socket | null;
  /** Of the request that runs on it. */
  handler: RequestHandler | null;
}
