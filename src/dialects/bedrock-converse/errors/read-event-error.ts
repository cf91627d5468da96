/** An error inside an answer: an exception of a stream, or a body that has only a message. */
import { asObject, asText } from '../../../core/json-object.ts';
import { EXCEPTION } from '../../../wire/frames/event-stream-message.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { EventError } from '../../interface/event-error.ts';
import { readAnswerError } from './read-answer-error.ts';

/** Null for anything else. No caller speaks this format, so the event itself is never passed on. */
export function readEventError(frame: Frame): EventError | null {
  if (frame.event === null) {
    const body = asObject(frame.json());
    if (body === null || asText(body['message']) === null || body['output'] !== undefined) return null;
  } else if (!frame.event.startsWith(EXCEPTION)) return null;
  return { error: readAnswerError(frame), isSafe: false, alone: null };
}
