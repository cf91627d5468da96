/**
 * How much a caller of the Messages API wants the model to think.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 * https://docs.anthropic.com/en/docs/build-with-claude/effort
 */
import { EFFORTS, type Effort, type Json, type Reasoning } from '../../../chat/request.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { isAbsent, readCountOrNull, requireObject, requireText } from '../../kit/request/request-values.ts';
import { quotable, warnOfUnknown } from './unknown-fields.ts';

/** Null when the caller did not say. Throws `GatewayError` 400 for an unknown kind of thinking. */
export function readReasoning(value: Json | undefined, effort: Effort | null, warnings: Set<string>): Reasoning | null {
  if (isAbsent(value)) return effort === null ? null : { effort, budget: null, adaptive: false, hidden: false };
  const thinking = requireObject(value, 'thinking');
  const type = requireText(thinking['type'], 'thinking.type');
  const hidden = thinking['display'] === 'omitted';
  warnOfUnknown(thinking, KNOWN.of(type), 'thinking.', warnings);
  switch (type) {
    case 'enabled': {
      const budget = readCountOrNull(thinking['budget_tokens'], 'thinking.budget_tokens');
      if (budget === null || budget === 0) {
        throw invalid('thinking.budget_tokens', '"thinking.budget_tokens" must be a number of tokens.');
      }
      return { effort, budget, adaptive: false, hidden };
    }
    case 'adaptive':
      return { effort, budget: null, adaptive: true, hidden };
    case 'between_tools':
      warnings.add('thinking of type between_tools is not supported by this provider and was read as adaptive');
      return { effort, budget: null, adaptive: true, hidden };
    case 'disabled':
      if (effort !== null && effort !== 'none') warnings.add('output_config.effort was left out: thinking is disabled');
      return { effort: 'none', budget: null, adaptive: false, hidden };
    default:
      throw invalid('thinking.type', `"${quotable(type)}" is not a known type of thinking.`);
  }
}

const KNOWN = fieldsByType(['type'], {
  enabled: ['budget_tokens', 'display'],
  'adaptive|between_tools': ['display'],
});

/** An unknown effort causes a warning, not an error: it affects how well the model answers, not what it is asked. */
export function readEffort(value: Json | undefined, param: string, warnings: Set<string>): Effort | null {
  if (isAbsent(value)) return null;
  const word = requireText(value, param);
  const effort = EFFORTS.find((known) => known === word) ?? null;
  if (effort === null) warnings.add('an unknown effort was left out');
  return effort;
}
