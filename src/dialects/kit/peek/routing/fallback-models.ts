/** OpenRouter's list of models to try in turn: https://openrouter.ai/docs/features/model-routing */
import type { Objection } from '../looked-field.ts';

/** Only the first few are ever tried. */
const MODELS_MAX = 16;
const MODEL_CHARACTERS_MAX = 512;

export function objectionToModels(value: unknown): Objection | null {
  if (!Array.isArray(value) || !value.every(isName))
    return { path: 'models', reason: 'it must be a list of model names' };
  if (value.length > MODELS_MAX) return { path: 'models', reason: `it has more than ${MODELS_MAX} models` };
  return null;
}

/** Those of a list without objection that follow `model`, each once. */
export function modelsAfter(model: string, value: unknown): readonly string[] {
  const models = new Set(Array.isArray(value) ? value.filter(isName) : []);
  models.delete(model);
  return [...models];
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MODEL_CHARACTERS_MAX;
}
