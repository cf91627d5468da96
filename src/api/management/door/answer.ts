/** Sends the result of a handler as an HTTP answer. */
import type { FastifyReply } from 'fastify';
import type { EventAnswer } from './handler.ts';
import { type LongAnswerParts, takeConnection } from './long-answer.ts';
import { sendEvents } from './send-events.ts';

/** `body` is JSON, with money as exact literals (`JSON.rawJSON`). */
export function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
}

export async function streamEvents(reply: FastifyReply, answer: EventAnswer, parts: LongAnswerParts): Promise<void> {
  const response = takeConnection(reply, {
    'content-type': 'text/event-stream; charset=utf-8',
    // The connection is not reused, so that shutdown need not wait for it.
    connection: 'close',
    // https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
    'x-accel-buffering': 'no',
  });
  await sendEvents(response, answer, parts);
}
