/** Warns of fields of a request that are not read. */

import { WARNINGS_MAX } from '../../../chat/warnings.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { unknownFields } from './request-values.ts';

/**
 * Warns of every field that is neither read nor known to have no effect. The caller chose the name, and a warning may be sent in a header,
 * so only plain words are quoted. `where` is the prefix.
 */
export function warnOfLeftOut(
  object: JsonObject,
  known: ReadonlySet<string>,
  where: string,
  warnings: Set<string>,
): void {
  // No more are reported, and a request may have ten thousands.
  if (warnings.size > WARNINGS_MAX) return;
  for (const name of unknownFields(object, known)) {
    const shown = PLAIN_NAME.test(name) ? `${where}${name}` : `a field of ${where === '' ? 'the request' : where}`;
    warnings.add(`${shown} cannot be passed on to this provider and was left out`);
  }
}

const PLAIN_NAME = /^[\w-]{1,64}$/;
