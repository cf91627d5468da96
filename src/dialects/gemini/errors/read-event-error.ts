/** An error in a relayed stream. */
import type { Frame } from '../../../wire/frames/frame.ts';
import type { EventError } from '../../interface/event-error.ts';
import { answerObject } from '../answer/read-candidate.ts';
import { holdsError, judgeError } from './read-answer-error.ts';

/** Null for a message that is not an error. */
export function readEventError(frame: Frame): EventError | null {
  const message = frame.data === null ? null : answerObject(frame.json());
  if (message === null || !holdsError(message)) return null;
  return { ...judgeError(message), alone: null };
}
