/**
 * Sends an answer at its rate and with its fault. Waits use the injected clock; a stream waits for a slow reader, and stops
 * immediately when the reader disconnects.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import type { Answer, BreakManner } from './answer.ts';
import type { Frame, Writing } from './frame.ts';

const FRAMES_A_TURN = 256;
const GARBAGE = '<html><body>This is no answer.</body></html>';
const REDIRECT_TARGET = 'http://127.0.0.1:9/elsewhere';

/** The dialect's headers are already set on `response`; this sets the status and the content type. */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  writing: Writing,
  stream: boolean,
  clock: Clock,
): Promise<void> {
  const fault = answer.fault;
  if (fault?.type === 'reset') return void response.socket?.resetAndDestroy();
  if (fault?.type === 'redirect') return void response.writeHead(307, { location: REDIRECT_TARGET }).end();
  if (fault?.type === 'late' && !(await waited(response, clock, fault.delayMs))) return;
  if (stream) await sendStream(response, answer, writing, clock);
  else await sendWhole(response, answer, writing, clock);
}

async function sendWhole(response: ServerResponse, answer: Answer, writing: Writing, clock: Clock): Promise<void> {
  if (answer.tokensPerSecond !== null) {
    if (!(await waited(response, clock, (answer.outputTokens / answer.tokensPerSecond) * 1000))) return;
  }
  if (answer.fault?.type === 'break') return breakWhole(response, writing.body(), answer.fault.manner);
  response.writeHead(200, { 'content-type': 'application/json' }).end(writing.body());
}

function breakWhole(response: ServerResponse, body: string, manner: BreakManner): void {
  const half = body.slice(0, body.length / 2);
  switch (manner) {
    case 'garbage':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(GARBAGE);
    case 'error':
    case 'truncate':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(half);
    case 'hang':
      return void response.writeHead(200, { 'content-type': 'application/json' }).write(half);
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.write(half, () => response.socket?.resetAndDestroy());
  }
}

async function sendStream(response: ServerResponse, answer: Answer, writing: Writing, clock: Clock): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  const startedMs = clock.monotonic();
  let tokens = 0;
  let frames = 0;
  for (const frame of writing.frames()) {
    if (answer.fault?.type === 'break' && isDue(answer.fault.afterTokens, tokens, frame)) {
      return breakStream(response, writing, answer.fault.manner);
    }
    if (frame.isToken) {
      tokens += 1;
      if (answer.tokensPerSecond !== null) {
        const dueMs = startedMs + (tokens / answer.tokensPerSecond) * 1000 - clock.monotonic();
        if (dueMs > 0 && !(await waited(response, clock, dueMs))) return;
      }
    }
    if (!response.write(frame.text) && !(await drained(response))) return;
    // Otherwise a fast reader would block the event loop for all others.
    frames += 1;
    if (frames % FRAMES_A_TURN === 0) await nextTurn();
  }
  response.end();
}

/** A break comes after the frame of the last allowed token, or at the end of a shorter answer. */
function isDue(afterTokens: number, tokens: number, next: Frame): boolean {
  return tokens >= afterTokens || (tokens > 0 && !next.isToken);
}

function breakStream(response: ServerResponse, writing: Writing, manner: BreakManner): void {
  switch (manner) {
    case 'hang':
      return;
    case 'truncate':
      return void response.end();
    case 'garbage':
      return void response.end(`data: {"broken\n\n${GARBAGE}\n\n`);
    case 'error':
      return void response.end(writing.errorFrame());
    case 'cut':
      // This write calls back once everything before it has been sent.
      response.write('\n', () => response.socket?.resetAndDestroy());
  }
}

/** Returns false if the reader disconnects first. An infinite wait only ends that way. */
function waited(response: ServerResponse, clock: Clock, delayMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.closed || response.destroyed) return resolve(false);
    const timer = Number.isFinite(delayMs) ? clock.after(delayMs, () => finish(true)) : null;
    const onClose = () => finish(false);
    const finish = (inTime: boolean) => {
      timer?.cancel();
      response.off('close', onClose);
      resolve(inTime);
    };
    response.on('close', onClose);
  });
}

/** Returns false if the reader disconnects instead of reading on. */
async function drained(response: ServerResponse): Promise<boolean> {
  if (response.closed || response.destroyed) return false;
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(response, 'drain', { signal }).then(() => true),
      once(response, 'close', { signal }).then(() => false),
    ]);
  } finally {
    settled.abort();
  }
}
