/** Governed fields whose values are inspected. */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { nameGivenTwice } from '../../../wire/json-twice.ts';
import { foldName } from '../../../wire/name-fold.ts';
import { unsupported } from '../errors/request-errors.ts';
import { type GovernedName, governedRefusal } from './governed-names.ts';

/** What is not accepted in a value. `path` is its name in errors, `reason` the end of a sentence. */
export interface Objection {
  readonly path: string;
  readonly reason: string;
  /** What the caller can do, as a sentence, if it is not what the field's own entry says. */
  readonly remedy?: string;
}

export interface Looked {
  /** Finds what is not accepted. */
  readonly at: (value: unknown) => Objection | null;
  /** Describes what is. */
  readonly passes: string;
}

export interface LookedName extends GovernedName {
  /** Set for a field with an inspected value. */
  readonly looked?: Looked;
}

/** Longer values are not inspected. */
const LOOKED_BYTES_MAX = 4096;

/**
 * Throws `GatewayError` 400 if the value is not accepted. Of a duplicate name, in any spelling, some servers read the first, others the last:
 * it is not clear what would pass.
 */
export function refuseObjection(document: JsonDocument, field: JsonField, governed: LookedName, looked: Looked): void {
  if (field.type === 'null') return;
  const { valueStart, valueEnd } = field;
  const isShort = valueEnd - valueStart <= LOOKED_BYTES_MAX;
  if (!isShort || nameGivenTwice(document.bytes.toString('utf8', valueStart, valueEnd), foldName) !== null)
    throw governedRefusal(governed, false);
  const objection = looked.at(readValue(document, field));
  if (objection === null) return;
  const { path, reason, remedy = governed.remedy } = objection;
  const advice = remedy === undefined ? '' : ` ${remedy}`;
  throw unsupported(path, `This value of ${JSON.stringify(path)} is not accepted by this gateway: ${reason}.${advice}`);
}
