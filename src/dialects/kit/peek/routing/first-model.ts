/**
 * The model of a request that names its models in OpenRouter's `models` alone: the first is the one that it asks for.
 * https://openrouter.ai/docs/guides/routing/model-fallbacks
 */
import type { JsonDocument } from '../../../../wire/json-document.ts';
import { readValue } from '../../../../wire/json-read.ts';
import { refuseObjection } from '../looked-field.ts';
import { governedModels } from './governed-routes.ts';

/** Null if the list is absent or empty. Throws `GatewayError` 400 if it is no list of names, or too long. */
export function firstModel(document: JsonDocument): string | null {
  const field = document.fields.get('models');
  if (field === undefined || field.type === 'null') return null;
  refuseObjection(document, field, governedModels, governedModels.looked);
  const [first] = readValue(document, field) as readonly string[];
  return first ?? null;
}
