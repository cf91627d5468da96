/**
 * What the two strict providers have in common: an HTTP server on loopback that reads a request
 * whole, hands it to its own rules, and keeps every request for tests to check.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readForm } from './read-form.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A request as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Empty if it is sound. */
  readonly body: JsonObject;
  /** The same as it was sent. */
  readonly bytes: Buffer;
  /** Resolves when its answer is over: read completely, or its connection closed. */
  readonly closed: Promise<'whole' | 'cut'>;
}

/** A refusal, which each server puts into its own shape. */
export class Refusal extends Error {
  readonly status: number;
  /** Anthropic's `type`, OpenAI's `type`. */
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    details: { type?: string; code?: string; param?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = details.type ?? 'invalid_request_error';
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.headers = details.headers ?? {};
  }
}

export interface StrictServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** In order of arrival, including refused ones. */
  readonly requests: readonly Received[];
  /** The newest request; fails if there is none. */
  last(): Received;
  nextRequest(): Promise<Received>;
  close(): Promise<void>;
}

export interface StrictRules {
  /** Answers, or throws a `Refusal`. */
  answer(received: Received, response: ServerResponse): Promise<void> | void;
  refusalBody(refusal: Refusal): JsonObject;
}

export async function startStrictServer(rules: StrictRules): Promise<StrictServer> {
  const requests: Received[] = [];
  const waiting: ((received: Received) => void)[] = [];
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const closed = once(response, 'close').then(() => (response.writableFinished ? 'whole' : 'cut') as 'whole' | 'cut');
    const bytes = await buffer(request).catch((error) => {
      // The gateway gave the request up before it was whole.
      if (request.complete) throw error;
      return null;
    });
    if (bytes === null) return;
    const body = await readBody(bytes, request.headers);
    const received = { path: request.url ?? '', headers: request.headers, body, bytes, closed };
    requests.push(received);
    waiting.shift()?.(received);
    try {
      await rules.answer(received, response);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      sendJson(response, rules.refusalBody(error), error.status, error.headers);
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    last() {
      const last = requests.at(-1);
      if (last === undefined) throw new Error('nothing was asked of this provider');
      return last;
    },
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      const over = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await over;
      if (failures.length > 0) throw new AggregateError(failures, 'a strict provider failed');
    },
  };
}

export function sendJson(
  response: ServerResponse,
  body: JsonObject,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

/** How a stream stops after its frames: properly, with the connection broken, or not at all. */
export type StreamEnd = 'end' | 'break' | 'hold';

async function readBody(bytes: Buffer, { 'content-type': type = '' }: IncomingMessage['headers']): Promise<JsonObject> {
  if (type.startsWith('multipart/')) return readForm(bytes, type);
  return SOUND.test(type) ? {} : (JSON.parse(bytes.toString()) as JsonObject);
}

/** One frame per turn of the event loop, so that each is likely to be sent separately. */
export async function sendStream(
  response: ServerResponse,
  frames: readonly (string | Buffer)[],
  end: StreamEnd,
  contentType = 'text/event-stream; charset=utf-8',
): Promise<void> {
  response.writeHead(200, { 'content-type': contentType });
  for (const frame of frames) {
    if (response.destroyed) return;
    response.write(frame);
    await nextTurn();
  }
  if (end === 'end') response.end();
  if (end === 'break') response.destroy();
}

const SOUND = /^(audio\/|video\/|application\/octet-stream)/;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
