/**
 * Server-sent events, each written when it happens. A client that does not read is cut off, because unsent events stay in memory; for a
 * client that loses its rights the stream ends before the next event. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import type { ServerResponse } from 'node:http';
import type { EventAnswer, ServerEvent } from './handler.ts';
import { type LongAnswerParts, TRUSTED_MS } from './long-answer.ts';

/** Proxies and browsers close idle connections. */
export const PING_MS = 15_000;
/** The most that may be buffered for a slow reader. */
const WAITING_BYTES_MAX = 256 * 1024;
const PING: ServerEvent = { event: 'ping', data: {} };

/** Resolves when the stream has ended, for any reason. Throws the errors of the source, after breaking the connection. */
export async function sendEvents(
  response: ServerResponse,
  { events }: EventAnswer,
  { clock, gone, isStillAllowed }: LongAnswerParts,
): Promise<void> {
  const ended = new AbortController();
  const isOver = AbortSignal.any([gone, ended.signal]);
  let checkedAt = clock.monotonic();
  const send = async (event: ServerEvent) => {
    if (clock.monotonic() - checkedAt >= TRUSTED_MS) {
      checkedAt = clock.monotonic();
      if (!(await isStillAllowed())) ended.abort();
    }
    if (!isOver.aborted) write(response, event);
  };
  response.writeHead(200);
  write(response, PING);
  const fail = (error: unknown) => {
    ended.abort();
    response.destroy(error instanceof Error ? error : undefined);
  };
  const pings = clock.every(PING_MS, () => void send(PING).catch(fail));
  const source = events[Symbol.asyncIterator]();
  try {
    while (!isOver.aborted) {
      const next = await nextUnlessOver(source, isOver);
      if (next === null || next.done === true) break;
      await send(next.value);
    }
    if (!response.destroyed) response.end();
  } catch (error) {
    fail(error);
    throw error;
  } finally {
    pings.cancel();
    // A source that waits for its next event ends by its signal; do not wait for it.
    void source.return?.()?.catch(() => undefined);
  }
}

/** Null if the stream ends first. */
function nextUnlessOver(
  source: AsyncIterator<ServerEvent>,
  isOver: AbortSignal,
): Promise<IteratorResult<ServerEvent> | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null);
    isOver.addEventListener('abort', stop, { once: true });
    // Otherwise a listener for each event would stay until the stream ends.
    const forget = () => isOver.removeEventListener('abort', stop);
    source.next().then(resolve, reject).finally(forget);
  });
}

function write(response: ServerResponse, { event, data }: ServerEvent): void {
  if (response.destroyed) return;
  // Events often come in groups: those of one turn of the event loop are sent in one write.
  if (response.writableCorked === 0) {
    response.cork();
    setImmediate(() => response.uncork());
  }
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  // Waiting for the reader would only move the queue to the source.
  if (response.writableLength > WAITING_BYTES_MAX) response.destroy();
}
