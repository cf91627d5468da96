/** A whole answer that is to be translated: its numbers keep their digits, and nothing in it nests too deep to be written again. */
import { parseExactly, surveyNumbers } from '../wire/exact-numbers.ts';
import { isShallow } from '../wire/json-depth.ts';
import { type AnswerObject, takeAnswer } from './whole-answer.ts';

export interface WholeAnswer {
  readonly answer: AnswerObject;
  /** Long numbers stand among so many values that their digits could not be kept. */
  readonly isRounded: boolean;
}

export const ROUNDED = 'numbers of the answer with more digits than a double holds were rounded';

/** Null when it is no JSON object, or nests deeper than a request may. The meter of a call has most often just read these bytes. */
export function readWholeAnswer(body: Buffer): WholeAnswer | null {
  const value = takeAnswer(body)?.object ?? parsed(body);
  if (!isObject(value) || !isShallow(value)) return null;
  const survey = surveyNumbers(body);
  const answer = survey === 'long' ? (parseExactly(body.toString()) as AnswerObject) : value;
  return { answer, isRounded: survey === 'too_many' };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // Not swallowed: null says that this is no answer.
    return null;
  }
}

function isObject(value: unknown): value is AnswerObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
