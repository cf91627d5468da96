import { type Answer, answerText, type BreakManner, type Fault } from '../answer.ts';
import type { Ask } from '../ask.ts';
import { Refusal } from '../refusal.ts';
import { readParameter } from './parameters.ts';

const DELAY_MS_DEFAULT = 1000;
const AFTER_TOKENS_DEFAULT = 3;
const RETRY_AFTER_SECONDS_DEFAULT = 2;

const STATUSES = new Set([400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529]);

const BREAKS: Readonly<Record<string, BreakManner>> = {
  cut: 'cut',
  truncate: 'truncate',
  stall: 'hang',
  garbage: 'garbage',
  'error-in-stream': 'error',
};

/**
 * Fails as the first known word in the user's text says, otherwise works like `echo`:
 *
 * - a status (`429`, `500`, `529`, …): refuses with it; `429` and `503` take `retry-after=7`
 * - `slow`: the first byte comes after `delay=1000` ms; `hang`: never
 * - `reset`: the connection is reset before any byte; `redirect`: 307 to another address
 * - `cut`, `truncate`, `stall`, `garbage`, `error-in-stream`: breaks after `after=3` tokens
 * - `no-usage`, `bad-usage`, `huge-usage`: a good answer with wrong usage
 * - `empty`: no output and no finish reason
 */
export function flaky(ask: Ask): Answer {
  for (const word of ask.userText.split(/\s+/)) {
    if (/^\d{3}$/.test(word) && STATUSES.has(Number(word))) throw refusal(Number(word), ask.userText);
    const fault = faultOf(word, ask.userText);
    if (fault !== null) return answerText(ask, ask.userText, { fault });
  }
  return answerText(ask, ask.userText);
}

function refusal(status: number, text: string): Refusal {
  const mayRetry = status === 429 || status === 503;
  return new Refusal(status, `The demo provider was asked to answer ${status}.`, {
    ...(mayRetry && { retryAfterSeconds: readParameter(text, 'retry-after') ?? RETRY_AFTER_SECONDS_DEFAULT }),
  });
}

function faultOf(word: string, text: string): Fault | null {
  const manner = Object.hasOwn(BREAKS, word) ? BREAKS[word] : undefined;
  if (manner !== undefined) {
    return { type: 'break', manner, afterTokens: readParameter(text, 'after') ?? AFTER_TOKENS_DEFAULT };
  }
  switch (word) {
    case 'slow':
      return { type: 'late', delayMs: readParameter(text, 'delay') ?? DELAY_MS_DEFAULT };
    case 'hang':
      return { type: 'late', delayMs: Number.POSITIVE_INFINITY };
    case 'reset':
      return { type: 'reset' };
    case 'redirect':
      return { type: 'redirect' };
    case 'no-usage':
      return { type: 'usage', manner: 'absent' };
    case 'bad-usage':
      return { type: 'usage', manner: 'invalid' };
    case 'huge-usage':
      return { type: 'usage', manner: 'huge' };
    case 'empty':
      return { type: 'empty' };
    default:
      return null;
  }
}
