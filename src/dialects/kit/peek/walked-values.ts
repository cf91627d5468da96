/**
 * A part of a body is walked in one turn of the event loop, unlike the body as a whole, which is scanned as it arrives. How long that takes
 * depends on how many values it has, not on its bytes: 16 million numbers are 32 MiB, and so is one picture.
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { invalid } from '../errors/request-errors.ts';

/** Values and names in a body of which a part is walked; about 15 ms. Real requests have less than a tenth of it. */
export const WALKED_VALUES_MAX = 1_000_000;

/** Throws `GatewayError` 400 that names the field to be walked. */
export function refuseManyValues({ values }: Pick<JsonDocument, 'values'>, field: string): void {
  if (values > WALKED_VALUES_MAX)
    throw invalid(field, `A request with "${field}" may have at most ${WALKED_VALUES_MAX} values and names.`);
}
