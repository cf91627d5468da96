/** A whole answer that is to be translated: its numbers keep their digits, and nothing in it nests too deep to be written again. */

import type { JsonObject } from '../../../core/json-object.ts';
import { findLongNumbers, parseExactly } from '../../../wire/exact-numbers.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import { WholeAnswer } from '../relay/whole-answer.ts';

export interface ExactAnswer {
  readonly answer: JsonObject;
  /** It has more long numbers than can be kept with their digits. */
  readonly isRounded: boolean;
}

export const ROUNDED = 'numbers of the answer with more digits than a double holds were rounded';

/** Null when it is no JSON object, or nests deeper than a request may. `object`: the body as JSON, where it was read already. */
export function readWholeAnswer(
  body: Buffer,
  object: JsonObject | null = new WholeAnswer(body).object,
): ExactAnswer | null {
  if (object === null || !isShallow(object)) return null;
  const numbers = findLongNumbers(body);
  const answer = numbers === null || numbers.length === 0 ? object : (parseExactly(body, numbers) as JsonObject);
  return { answer, isRounded: numbers === null };
}
