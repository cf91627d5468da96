/**
 * Server-sent events: each is written when it happens. Who does not read them is cut off, for what waits is kept in
 * memory; who may not see them any more hears the end of them before the next one.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import type { ServerResponse } from 'node:http';
import type { EventAnswer, ServerEvent } from './handler.ts';
import { type LongAnswerParts, TRUSTED_MS } from './long-answer.ts';

/** Proxies and browsers give up on a connection that says nothing. */
export const PING_MS = 15_000;
/** What may wait for a slow reader. */
const WAITING_BYTES_MAX = 256 * 1024;
const PING: ServerEvent = { event: 'ping', data: {} };

/** Resolves when the stream has ended, however it did. Throws what the source throws; the connection is broken then. */
export async function sendEvents(
  response: ServerResponse,
  { events }: EventAnswer,
  { clock, gone, mayGoOn }: LongAnswerParts,
): Promise<void> {
  const ended = new AbortController();
  const isOver = AbortSignal.any([gone, ended.signal]);
  let checkedAt = clock.monotonic();
  const send = async (event: ServerEvent) => {
    if (clock.monotonic() - checkedAt >= TRUSTED_MS) {
      checkedAt = clock.monotonic();
      if (!(await mayGoOn())) ended.abort();
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
    // A source that waits for its next event ends by the signal it was given; it is not waited for.
    void source.return?.()?.catch(() => undefined);
  }
}

/** Null when it is over first. */
function nextUnlessOver(
  source: AsyncIterator<ServerEvent>,
  isOver: AbortSignal,
): Promise<IteratorResult<ServerEvent> | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null);
    isOver.addEventListener('abort', stop, { once: true });
    // A listener for each event that was sent would stay for as long as the stream does.
    const forget = () => isOver.removeEventListener('abort', stop);
    source.next().then(resolve, reject).finally(forget);
  });
}

function write(response: ServerResponse, { event, data }: ServerEvent): void {
  if (response.destroyed) return;
  // Events come many at once: those of one turn of the event loop leave in one write.
  if (response.writableCorked === 0) {
    response.cork();
    setImmediate(() => response.uncork());
  }
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  // Waiting for the reader would only move the queue to where the events come from.
  if (response.writableLength > WAITING_BYTES_MAX) response.destroy();
}
