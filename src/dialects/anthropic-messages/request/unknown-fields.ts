/** Fields of a request that nothing here reads. */

import type { JsonObject } from '../../../core/json-object.ts';
import { unknownFields } from '../../kit/request/request-values.ts';

/** Warns of every field that is not known and says something. `where` stands before its name. */
export function warnOfUnknown(
  object: JsonObject,
  known: ReadonlySet<string>,
  where: string,
  warnings: Set<string>,
): void {
  for (const name of unknownFields(object, known)) {
    warnings.add(`${where}${quotable(name)} is not supported by this provider and was left out`);
  }
}

/** A word of the request as a warning or a message may repeat it: warnings travel in a header. */
export function quotable(word: unknown): string {
  return typeof word === 'string' && /^[\w.:-]{1,64}$/.test(word) ? word : 'unnamed';
}
