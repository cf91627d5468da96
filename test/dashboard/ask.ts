/** One HTTP request exactly as written: no path is normalised, no header is added, and every header of the answer is returned. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Asked {
  readonly method?: string;
  /** Below the server's root, sent as it is. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** An object is sent as JSON; a string as it is, without a content type. */
  readonly body?: object | string | undefined;
}

/** What tests check. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Undefined if the answer is not JSON. */
  readonly json: Json;
}

/** `where`: the address of a server, or the path of a socket file. */
export async function ask(where: string, asked: Asked): Promise<Reply> {
  const response = await begin(where, asked);
  const body = await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers, text: body, json: parsed(body) };
}

/** Like `ask`, but returns before the body has arrived: for streams. */
export function begin(where: string, { method = 'GET', path, headers = {}, body }: Asked): Promise<IncomingMessage> {
  const isJson = typeof body === 'object';
  const sent = body === undefined ? null : isJson ? JSON.stringify(body) : body;
  const address = where.startsWith('/')
    ? { socketPath: where }
    : { host: '127.0.0.1', port: Number(new URL(where).port) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        ...address,
        method,
        path,
        headers: {
          ...(isJson ? { 'content-type': 'application/json' } : {}),
          ...(sent === null ? {} : { 'content-length': Buffer.byteLength(sent) }),
          ...(headers as Record<string, string | string[]>),
        },
      },
      resolve,
    ).on('error', reject);
    outgoing.end(sent ?? undefined);
  });
}

/** The code of an error, in any door's format; null if there is none. */
export function codeOf({ json }: Pick<Reply, 'json'>): string | null {
  return json?.error?.metadata?.error_type ?? null;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
