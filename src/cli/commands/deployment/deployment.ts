/** A Turnpike that is reached by its URL, as its clients reach it: each request notes when which bytes arrived. */
import { type IncomingHttpHeaders, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { shownText } from '../../output.ts';

export interface Asked {
  readonly method?: 'GET' | 'POST';
  /** Below the URL of the deployment: `/v1/messages`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Milliseconds from the request to its head, to each piece of its body, and to its end. */
  readonly headMs: number;
  readonly arrivals: readonly number[];
  readonly endMs: number;
  /** Whether the connection was closed before the answer was complete. */
  readonly isCut: boolean;
  /** Whether the connection had been used before. */
  readonly isReused: boolean;
  readonly tls: TlsFacts | null;
}

export interface TlsFacts {
  readonly protocol: string;
  /** Milliseconds since 1970; null if it cannot be read. */
  readonly validTo: number | null;
}

/** No answer came at all. */
export class Unanswered extends Error {
  /** Node's code: `ECONNREFUSED`, `CERT_HAS_EXPIRED`, `TIMEOUT`. */
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Nothing at all arrives for so long. */
const SILENCE_MS_MAX = 90_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export class Deployment {
  readonly url: URL;
  readonly key: string;
  readonly #agent: PlainAgent | SecureAgent;

  constructor(url: URL, key: string) {
    this.url = url;
    this.key = key;
    const options = { keepAlive: true, maxSockets: 1 };
    this.#agent = url.protocol === 'https:' ? new SecureAgent(options) : new PlainAgent(options);
  }

  /** Throws `Unanswered` if there is no answer. */
  ask({ method = 'POST', path, headers = {}, body }: Asked): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    const text = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const send = this.url.protocol === 'https:' ? secureRequest : plainRequest;
    const target = new URL(`${this.url.pathname.replace(/\/$/, '')}${path}`, this.url);
    const request = send(target, {
      method,
      agent: this.#agent,
      headers: { 'user-agent': 'turnpike-doctor', ...headers, ...(text === null ? {} : jsonHeaders(text)) },
    });
    request.setTimeout(SILENCE_MS_MAX, () => request.destroy(new Unanswered('TIMEOUT')));
    request.on('error', (error: NodeJS.ErrnoException) => reject(new Unanswered(error.code ?? 'ERROR')));
    request.on('response', (response) => {
      const headMs = elapsed();
      const { reusedSocket } = request;
      const tls = tlsOf(response.socket);
      const pieces: Buffer[] = [];
      const arrivals: number[] = [];
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        arrivals.push(elapsed());
        bytes += piece.length;
        if (bytes <= ANSWER_BYTES_MAX) pieces.push(piece);
        else response.destroy();
      });
      // It is always followed by `close`, which says whether the answer was complete.
      response.on('error', () => undefined);
      response.on('close', () =>
        resolve({
          ...{ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) },
          ...{ headMs, arrivals, endMs: elapsed(), isCut: !response.complete, isReused: reusedSocket, tls },
        }),
      );
    });
    request.end(text ?? undefined);
    return promise;
  }

  /** What a deployment sent, for messages: short, printable, and without the key. */
  shown(text: string): string {
    return shownText(text.replaceAll(this.key, '[key]'));
  }

  close(): void {
    this.#agent.destroy();
  }
}

function jsonHeaders(text: Buffer): Record<string, string> {
  return { 'content-type': 'application/json', 'content-length': String(text.length) };
}

function tlsOf(socket: object): TlsFacts | null {
  if (!('getPeerCertificate' in socket)) return null;
  const secure = socket as TLSSocket;
  const validTo = Date.parse(secure.getPeerCertificate().valid_to);
  return { protocol: secure.getProtocol() ?? 'unknown', validTo: Number.isNaN(validTo) ? null : validTo };
}

/** The body as a JSON object; an empty one if it is none. */
export function objectIn({ body }: Pick<Reply, 'body'>): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A value inside an answer, by the names on the way to it; undefined if there is none. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string | number, unknown>)[name];
  }
  return found;
}

/** The same, for a list; empty if there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The JSON values of the server-sent events in a body, in order. */
export function eventsIn({ body }: Pick<Reply, 'body'>): readonly unknown[] {
  return body
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => objectIn({ body: Buffer.from(line.slice(5)) }));
}
