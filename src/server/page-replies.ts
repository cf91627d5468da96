/** Headers of replies to pages of other origins: see `gateway/arrival/page-origin.ts`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type OriginPorts,
  originHeaders,
  originOf,
  originOfSomeKey,
  preflightHeaders,
  refusedPreflight,
  VARY,
} from '../gateway/arrival/page-origin.ts';

const ORIGIN_HEADERS = pairsOf(originHeaders('')).map(([name]) => name);

/** Sets the headers with which a page of this origin may read the answer; null removes them. */
export function setOrigin(reply: FastifyReply, origin: string | null): void {
  if (origin === null) for (const name of ORIGIN_HEADERS) reply.removeHeader(name);
  else setHeaders(reply, originHeaders(origin));
}

/** May a page call? The same answer for every path that takes a key of ours, whatever the key. Throws `GatewayError` `origin_not_allowed`. */
export function allowPage(ports: OriginPorts, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const origin = originOfSomeKey(ports, originOf(request.raw));
  if (origin === null) throw refusedPreflight();
  if (!request.raw.complete) reply.header('connection', 'close');
  setHeaders(reply, preflightHeaders(origin));
  return reply.code(204).send();
}

/** An answer without these headers still depends on the origin. */
export function setVary(reply: FastifyReply): void {
  setHeaders(reply, VARY);
}

function setHeaders(reply: FastifyReply, headers: readonly string[]): void {
  for (const [name, value] of pairsOf(headers)) reply.header(name, value);
}

function pairsOf(headers: readonly string[]): readonly (readonly [name: string, value: string])[] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as const] : []));
}
