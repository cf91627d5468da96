/** A whole answer to be translated: its numbers keep their digits, and it does not nest too deep to be written. */

import type { JsonObject } from '../../../core/json-object.ts';
import { findLongNumbers, parseExactly } from '../../../wire/exact-numbers.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import { WholeAnswer } from '../relay/whole-answer.ts';

export interface ExactAnswer {
  readonly answer: JsonObject;
  /** Whether it has more long numbers than can be kept with their digits. */
  readonly isRounded: boolean;
}

export const ROUNDED = 'numbers in the answer with more digits than a double holds were rounded';

/** Null when it is not a JSON object, or nests deeper than a request may. `object`: the body as JSON, if already parsed. */
export function readWholeAnswer(
  body: Buffer,
  object: JsonObject | null = new WholeAnswer(body).object,
): ExactAnswer | null {
  if (object === null || !isShallow(object)) return null;
  const numbers = findLongNumbers(body);
  const answer = numbers === null || numbers.length === 0 ? object : (parseExactly(body, numbers) as JsonObject);
  return { answer, isRounded: numbers === null };
}
