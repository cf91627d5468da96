/** Reads an error in a relayed stream. OpenAI sends `error` and then `response.failed`, and clients may wait for the second. */
import { asObject, asText } from '../../../core/json-object.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { EventError } from '../../interface/event-error.ts';
import { failedEvent } from './failed-event.ts';
import { judgeAnswerError } from './read-answer-error.ts';

export function readEventError(frame: Frame): EventError | null {
  const event = asObject(frame.json());
  if (event === null) return null;
  const type = asText(event['type']) ?? frame.event;
  if (type !== 'error' && type !== 'response.failed' && type !== 'response.cancelled') return null;
  const judged = judgeAnswerError(event);
  return { ...judged, alone: type === 'error' && judged.isSafe ? failedEvent(event) : null };
}
