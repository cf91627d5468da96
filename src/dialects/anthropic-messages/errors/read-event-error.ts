/** An error in a relayed stream. https://docs.anthropic.com/en/api/errors */

import { asObject, isObject } from '../../../core/json-object.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import type { EventError } from '../../interface/event-error.ts';
import { isSafeError } from '../../kit/errors/safe-error.ts';
import { readAnswerError, statusOf } from './read-answer-error.ts';
import { readError } from './read-error.ts';

/** Null for an event that is not an error. */
export function readEventError(frame: Frame): EventError | null {
  const { event, data } = frame;
  if (data === null) return null;
  const payload = asObject(frame.json());
  const type = event ?? payload?.['type'];
  if (type !== 'error' && (type !== undefined || !isObject(payload?.['error']))) return null;
  if (!isShallow(payload)) return { error: readAnswerError(data), isSafe: false, alone: null };
  // Serialised again, so that an escape hides nothing.
  const said = payload === null ? data : Buffer.from(JSON.stringify(payload));
  const isSafe = isSafeError(readError(statusOf(payload), {}, said), payload ?? data.toString());
  return { error: readAnswerError(said), isSafe, alone: null };
}
