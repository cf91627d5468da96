/** A whole answer that is to be translated: its numbers keep their digits, and nothing in it nests too deep to be written again. */

import { type JsonObject, parseObject } from '../../../core/json-object.ts';
import { findLongNumbers, parseExactly } from '../../../wire/exact-numbers.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import { takeAnswer } from '../relay/whole-answer.ts';

export interface WholeAnswer {
  readonly answer: JsonObject;
  /** It has more long numbers than can be kept with their digits. */
  readonly isRounded: boolean;
}

export const ROUNDED = 'numbers of the answer with more digits than a double holds were rounded';

/** Null when it is no JSON object, or nests deeper than a request may. The meter of a call has most often just read these bytes. */
export function readWholeAnswer(body: Buffer): WholeAnswer | null {
  const value = takeAnswer(body)?.object ?? parseObject(body.toString());
  if (value === null || !isShallow(value)) return null;
  const numbers = findLongNumbers(body);
  const answer = numbers === null || numbers.length === 0 ? value : (parseExactly(body, numbers) as JsonObject);
  return { answer, isRounded: numbers === null };
}
