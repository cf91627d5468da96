/**
 * A provider that does exactly what a test scripts, byte by byte: a raw server on loopback, over TCP or TLS. A
 * script gets each request whole and writes the answer; nothing is sent that it does not write.
 * Nothing here waits for time to pass: tests await arrivals, writes and closed connections.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import type { Certificate } from './certificates.ts';
import { type HttpMessage, HttpReader } from './http-reader.ts';

/** Answers one request. Errors it throws fail the test at `close()`. */
export type Script = (exchange: Exchange) => void | Promise<void>;

export interface ScriptedUpstream {
  /** `http://127.0.0.1:<port>`, or `https`. */
  readonly origin: string;
  /** Every request so far, in order of arrival. */
  readonly exchanges: readonly Exchange[];
  /** Connections accepted so far; over TLS, those whose client accepted the certificate. */
  readonly connections: number;
  /** The script that answers from now on. */
  play(script: Script): void;
  /** The next request that arrives after this call. */
  nextExchange(): Promise<Exchange>;
  /** Cuts all connections, and rejects if a script threw. */
  close(): Promise<void>;
}

/** One request, and control over its connection. */
export class Exchange {
  readonly request: HttpMessage;
  readonly socket: Socket;
  /** Resolves with `performance.now()` when the connection has closed, whoever closed it. */
  readonly closed: Promise<number>;

  constructor(request: HttpMessage, socket: Socket, closed: Promise<number>) {
    this.request = request;
    this.socket = socket;
    this.closed = closed;
  }

  get json(): Record<string, unknown> {
    return JSON.parse(this.request.body.toString('utf8'));
  }

  /** Writes bytes as they are; resolves when they have left, or the connection is gone. */
  raw(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  head(status: number, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return this.raw(`HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`);
  }

  /** A whole answer with its length. */
  async whole(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const bytes = Buffer.from(body);
    await this.head(status, { 'content-type': 'application/json', ...headers, 'content-length': String(bytes.length) });
    await this.raw(bytes);
  }

  /** The head of a chunked event stream; `chunk` and `lastChunk` follow. */
  openStream(headers: Readonly<Record<string, string>> = {}): Promise<void> {
    return this.head(200, { 'content-type': 'text/event-stream', ...headers, 'transfer-encoding': 'chunked' });
  }

  chunk(bytes: string | Buffer): Promise<void> {
    const content = Buffer.from(bytes);
    return this.raw(Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]));
  }

  lastChunk(): Promise<void> {
    return this.raw('0\r\n\r\n');
  }

  /** FIN: the connection ends cleanly, however much of the answer was sent. */
  finish(): void {
    this.socket.end();
  }

  /** RST; not over TLS. */
  reset(): void {
    this.socket.resetAndDestroy();
  }
}

/** Over TLS if it has a certificate. */
export async function startScriptedUpstream(first: Script, certificate?: Certificate): Promise<ScriptedUpstream> {
  let script = first;
  const exchanges: Exchange[] = [];
  const sockets = new Set<Socket>();
  const failures: unknown[] = [];
  const waiting: ((exchange: Exchange) => void)[] = [];
  let connections = 0;

  const accept = (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    const reader = new HttpReader();
    // A reset by the client is part of what is tested; 'close' follows it.
    socket.on('error', () => undefined);
    const closed = new Promise<number>((resolve) => {
      socket.on('close', () => {
        sockets.delete(socket);
        resolve(performance.now());
      });
    });
    socket.on('data', (bytes: Buffer) => {
      for (const request of reader.feed(bytes)) answer(new Exchange(request, socket, closed));
    });
  };
  const server =
    certificate === undefined
      ? createServer({ noDelay: true }, accept)
      : createSecureServer({ noDelay: true, ...certificate }, accept);
  const answer = (exchange: Exchange) => {
    exchanges.push(exchange);
    waiting.shift()?.(exchange);
    Promise.resolve()
      .then(() => script(exchange))
      .catch((error) => {
        failures.push(error);
        // A client waiting for this answer should not wait forever.
        exchange.socket.destroy();
      });
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    get connections() {
      return connections;
    },
    play(next) {
      script = next;
    },
    nextExchange: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      if (failures.length > 0) throw new AggregateError(failures, 'a script failed');
    },
  };
}
