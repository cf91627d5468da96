/**
 * OpenRouter's additions to a request. What chooses where it is served is read in `kit/peek/routing/`.
 *
 * https://openrouter.ai/docs/api-reference/parameters, https://openrouter.ai/docs/features/message-transforms
 */
import { asArray, asObject } from '../../../core/json-object.ts';
import type { Objection } from '../../kit/peek/looked-field.ts';
import { isEmpty } from '../../kit/request/request-values.ts';
import type { OpenRouterField } from '../quirks.ts';

/** Fields that only OpenRouter knows and strict providers refuse; OpenAI refuses `metadata` unless the answer is stored. */
export const OPENROUTER_FIELDS: readonly OpenRouterField[] = [
  ...(['usage', 'reasoning', 'include_reasoning', 'provider', 'models', 'route', 'transforms', 'plugins'] as const),
  'metadata',
];

/** A plugin that is switched off does nothing; `context-compression` does something only with a prompt that is too long. */
export function objectionToPlugins(value: unknown): Objection | null {
  if (!Array.isArray(value)) return { path: 'plugins', reason: 'it must be a list' };
  for (const [index, each] of value.entries()) {
    const plugin = asObject(each);
    if (plugin?.['enabled'] === false || plugin?.['id'] === COMPRESSION) continue;
    return {
      path: `plugins[${index}]`,
      reason: 'some plugins are charged separately from tokens, and others choose another model',
    };
  }
  return null;
}

/** Warnings about wishes in an accepted field that are not followed when the field is left out. */
export function wishesNotFollowed(field: string, value: unknown): readonly string[] {
  if (isEmpty(value)) return [];
  if (field === 'transforms') return [`transforms was left out: ${UNSHORTENED}`];
  if (field === 'plugins') return asArray(value).some(compresses) ? [`plugins was left out: ${UNSHORTENED}`] : [];
  return [];
}

const COMPRESSION = 'context-compression';
const UNSHORTENED = 'prompts that are too long are refused, not shortened';

function compresses(each: unknown): boolean {
  const plugin = asObject(each);
  return plugin?.['id'] === COMPRESSION && plugin['enabled'] !== false;
}
