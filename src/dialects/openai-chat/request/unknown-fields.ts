/** Fields of a request that nothing here reads. */

import type { JsonObject } from '../../../core/json-object.ts';
import { unknownFields } from '../../kit/request/request-values.ts';

/**
 * Warns of every field that is neither read nor known to be without effect. The name is the caller's own, and a warning
 * may travel in a header, so a name that is no plain word is not repeated. `where` stands before it.
 */
export function warnOfUnknown(
  object: JsonObject,
  known: ReadonlySet<string>,
  where: string,
  warnings: Set<string>,
): void {
  for (const name of unknownFields(object, known)) {
    const shown = PLAIN_NAME.test(name) ? `${where}${name}` : `a field of ${where === '' ? 'the request' : where}`;
    warnings.add(`${shown} cannot be passed on to this provider and was left out`);
  }
}

const PLAIN_NAME = /^[\w-]{1,64}$/;
