/** Reads what a request states about where it may be served; the governed fields of its format have been checked before. */
import type { RoutePreferences } from '../../../../core/routing/route-preferences.ts';
import type { JsonDocument, JsonField } from '../../../../wire/json-document.ts';
import { readValue } from '../../../../wire/json-read.ts';
import { modelsAfter } from './fallback-models.ts';
import { type ProviderWishes, readProviderWishes } from './provider-wishes.ts';

/**
 * Null if the request states nothing. `model` is the requested one; `parameters` are the fields of the format that set a parameter of the
 * model, with OpenRouter's word for it.
 */
export function readPreferences(
  document: JsonDocument,
  model: string,
  parameters: ReadonlyMap<string, string>,
): RoutePreferences | null {
  const { fields } = document;
  const models = present(fields.get('models'));
  const provider = present(fields.get('provider'));
  if (models === null && provider === null) return null;
  const wishes: ProviderWishes = readProviderWishes(provider === null ? null : readValue(document, provider));
  const { requiresParameters, ...stated } = wishes;
  return {
    ...stated,
    models: models === null ? [] : modelsAfter(model, readValue(document, models)),
    requiredParameters: requiresParameters ? parametersIn(fields, parameters) : null,
  };
}

function present(field: JsonField | undefined): JsonField | null {
  return field === undefined || field.type === 'null' ? null : field;
}

function parametersIn(fields: JsonDocument['fields'], parameters: ReadonlyMap<string, string>): readonly string[] {
  const set = new Set<string>();
  for (const [field, parameter] of parameters) if (present(fields.get(field)) !== null) set.add(parameter);
  return [...set];
}
