import { assert } from '../../../core/assert.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { type Edit, replaceValue } from '../../../wire/json-splice.ts';
import { modelJson } from './model-json.ts';

/**
 * The fields in which a caller states where its call may be served. They reach no provider: each has its own names. Nothing is lost by that,
 * because they are obeyed here. In a request without `model`, the name at the provider takes the place of `models`.
 */
export const ROUTING_FIELDS = ['models', 'route', 'provider'] as const;

/** Those that a request has, to be removed with whatever else is removed from the same object. */
export function routingFields(document: JsonDocument): readonly JsonField[] {
  const { fields } = document;
  if (!ROUTING_FIELDS.some((name) => fields.has(name))) return NONE;
  const place = placeOfName(document);
  return ROUTING_FIELDS.flatMap((name) => fields.get(name) ?? NONE).filter((field) => field !== place);
}

/** The field in whose place a provider's name of the model is sent: `model`, or `models` in a request that has only that. */
export function placeOfName({ fields }: JsonDocument): JsonField {
  const field = fields.get('model') ?? fields.get('models');
  assert(field !== undefined, 'a peeked request names a model');
  return field;
}

/** The edit that gives a provider its name of the model; null if it has that already. `asked`: the caller's name. */
export function nameEdit(document: JsonDocument, asked: string, model: string): Edit | null {
  const field = document.fields.get('model');
  if (field === undefined) {
    const { keyStart, valueEnd } = placeOfName(document);
    return { start: keyStart, end: valueEnd, insert: Buffer.concat([NAME, modelJson(model).bytes]) };
  }
  return model === asked && field.type !== 'null' ? null : replaceValue(field, modelJson(model).bytes);
}

const NAME = Buffer.from('"model":');
const NONE: readonly JsonField[] = [];
