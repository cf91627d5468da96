/** Writes how much the model should think, in the provider's fields. */
import type { ChatRequest, Effort, Reasoning } from '../../../chat/request.ts';
import { nearestEffort, wantedEffort } from '../../kit/request/fit-effort.ts';
import type { DialectTarget } from '../quirks.ts';
import type { Written } from './cache-marks.ts';

/** The fields to send; may be empty. `cap` is the output cap that is sent, in tokens. */
export function writeReasoning(
  { reasoning }: Pick<ChatRequest, 'reasoning'>,
  target: DialectTarget,
  cap: number | null,
  warnings: Set<string>,
): Written {
  if (reasoning === null) return {};
  const { reasoningField } = target.quirks;
  if (reasoningField === 'none' || !takesReasoning(target)) {
    // For a model that cannot think, a request not to think is already met.
    if (asksForThought(reasoning)) warnings.add('reasoning was left out, because this model does not accept it');
    return {};
  }
  if (reasoning.effort !== null && reasoning.budget !== null) {
    warnings.add('the thinking budget was left out: the effort is used instead');
  }
  if (reasoningField === 'reasoning') return writeObject(reasoning, target, cap, warnings);
  if (reasoning.effort === null && reasoning.budget !== null) {
    warnings.add('this model does not support a thinking budget; it was sent as an effort');
  }
  const effort = nearestEffort(wantedEffort(reasoning), target.efforts, warnings) ?? undefined;
  switch (reasoningField) {
    case 'thinking':
      return writeSwitch(reasoning, effort);
    case 'thinking_type':
      return switchOf(reasoning, effort);
    default:
      return { reasoning_effort: effort };
  }
}

/** The server itself maps efforts that it does not have: https://api-docs.deepseek.com/guides/thinking_mode */
function writeSwitch(reasoning: Reasoning, effort: Effort | undefined): Written {
  const on = switchOf(reasoning, effort);
  if (effort === undefined || effort === 'none') return on;
  return { ...on, reasoning_effort: effort === 'minimal' ? 'low' : effort };
}

function switchOf({ adaptive }: Reasoning, effort: Effort | undefined): Written {
  if (effort === undefined) return adaptive ? { thinking: { type: 'enabled' } } : {};
  return { thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } };
}

function takesReasoning({ parameters }: DialectTarget): boolean {
  return parameters === null || WORDS.some((word) => parameters.has(word));
}

const WORDS = ['reasoning', 'reasoning_effort', 'include_reasoning'] as const;

function asksForThought({ effort, budget }: Reasoning): boolean {
  return effort === null ? budget !== null : effort !== 'none';
}

/**
 * OpenRouter accepts an effort or a budget, never both. `exclude` is never sent: without the thoughts their signatures would be missing
 * too, which a tool loop must send back. https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
function writeObject(reasoning: Reasoning, target: DialectTarget, cap: number | null, warnings: Set<string>): Written {
  const { budget } = reasoning;
  if (reasoning.effort === null && budget !== null && (cap === null || budget < cap)) {
    return { reasoning: { max_tokens: budget } };
  }
  if (reasoning.effort === null && budget !== null) {
    warnings.add('the reasoning budget leaves no room under the output cap; it is given as an effort');
  }
  const effort = nearestEffort(wantedEffort(reasoning), target.efforts, warnings) ?? undefined;
  if (effort !== undefined) return { reasoning: { effort } };
  // Many models do not think unless it is enabled.
  return reasoning.adaptive ? { reasoning: { enabled: true } } : {};
}
