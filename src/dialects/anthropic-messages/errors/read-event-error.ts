/** An error in a relayed stream. https://docs.anthropic.com/en/api/errors */
import { isShallow } from '../../../wire/json-depth.ts';
import type { SseFrame } from '../../../wire/sse.ts';
import type { EventError } from '../../interface/event-error.ts';
import { isTellable } from '../../kit/errors/tellable-error.ts';
import { isObject, parseObject } from '../answer/json-object.ts';
import { readAnswerError, statusOf } from './read-answer-error.ts';
import { readError } from './read-error.ts';

/** Null for an event that is no error. */
export function readEventError({ event, data }: SseFrame): EventError | null {
  if (data === null) return null;
  const text = data.toString();
  const payload = parseObject(text);
  const type = event ?? payload?.['type'];
  if (type !== 'error' && (type !== undefined || !isObject(payload?.['error']))) return null;
  if (!isShallow(payload)) return { error: readAnswerError(data), isSafe: false, alone: null };
  // Written anew, so that an escape hides nothing.
  const said = payload === null ? data : Buffer.from(JSON.stringify(payload));
  const isSafe = isTellable(readError(statusOf(payload), {}, said), payload ?? text);
  return { error: readAnswerError(said), isSafe, alone: null };
}
