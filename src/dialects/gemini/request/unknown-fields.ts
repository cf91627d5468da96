/** Warns of fields of a request that are not read. */
import { WARNINGS_MAX } from '../../../chat/warnings.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { unknownFields } from '../../kit/request/request-values.ts';
import { bothSpellings } from '../field-names.ts';

/** The names that are read of an object, each in both spellings. */
export function knownFields(names: readonly string[]): ReadonlySet<string> {
  return new Set(bothSpellings(names));
}

/** Warns of every unknown field with a meaningful value. `where` is the prefix of its name. */
export function warnOfUnknown(
  object: JsonObject,
  known: ReadonlySet<string>,
  where: string,
  warnings: Set<string>,
): void {
  // No more are reported, and a request may have ten thousands.
  if (warnings.size > WARNINGS_MAX) return;
  for (const name of unknownFields(object, known)) warnings.add(leftOut(`${where}${quotable(name)}`));
}

export function leftOut(name: string): string {
  return `${name} is not supported by this provider and was left out`;
}

/** A word of the request that is safe to quote in a warning or a message: warnings are sent in a header. */
export function quotable(word: unknown): string {
  return typeof word === 'string' && /^[\w.:-]{1,64}$/.test(word) ? word : 'unnamed';
}
