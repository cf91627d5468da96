/** What a handler gave back, as the bytes of an HTTP answer. */
import type { FastifyReply } from 'fastify';
import type { EventAnswer } from './handler.ts';
import { type EventParts, sendEvents } from './send-events.ts';

/** JSON, with money as the exact literal it is (`JSON.rawJSON`). */
export function jsonOf(answer: unknown): string {
  return JSON.stringify(answer);
}

export function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
}

/** Takes the connection from the framework: what is written leaves at once. */
export async function streamEvents(reply: FastifyReply, answer: EventAnswer, parts: EventParts): Promise<void> {
  const response = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) response.setHeader(name, value);
  response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  // Nobody waits for it to be free for another request, a shutdown least of all.
  response.setHeader('connection', 'close');
  // https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
  response.setHeader('x-accel-buffering', 'no');
  reply.hijack();
  await sendEvents(response, answer, parts);
}
