/**
 * How much the caller wants the model to think: OpenRouter's `reasoning` object, OpenAI's `reasoning_effort`, Anthropic's `thinking`
 * as LiteLLM sends it in this format, too, or the older `include_reasoning`, in this order.
 *
 * https://openrouter.ai/docs/use-cases/reasoning-tokens, https://docs.litellm.ai/docs/reasoning_content
 */
import { EFFORTS, type Effort, type Reasoning } from '../../../chat/request.ts';
import { asObject, type JsonObject } from '../answer/json-value.ts';
import { invalid } from '../peek/request-fields.ts';
import { isAbsent, objectAt, optionalFlag, optionalWhole, optionalWord, warnOfOthers, wordAt } from './read-values.ts';

/** Null when the caller said nothing. Tokens in `budget`. */
export function readReasoning(body: JsonObject, warnings: Set<string>): Reasoning | null {
  const effort = optionalWord(body['reasoning_effort'], 'reasoning_effort', EFFORTS);
  const included = optionalFlag(body['include_reasoning'], 'include_reasoning');
  if (!isAbsent(body['reasoning'])) {
    return readReasoningObject(objectAt(body['reasoning'], 'reasoning'), effort, included === false, warnings);
  }
  const thinking = asObject(body['thinking']);
  if (effort === null && thinking !== null) return readThinking(thinking, included === false);
  if (effort !== null) return { effort, budget: null, adaptive: false, hidden: included === false };
  if (included === null) return null;
  // `false` hides what the model thinks, but asks for no more and no less of it.
  return { effort: null, budget: null, adaptive: included, hidden: !included };
}

/** `{"type":"enabled","budget_tokens":2000}`, `{"type":"adaptive"}`, `{"type":"disabled"}`. */
function readThinking(thinking: JsonObject, hidden: boolean): Reasoning {
  const type = wordAt(thinking['type'], 'thinking.type', ['enabled', 'adaptive', 'disabled']);
  const budget = optionalWhole(thinking['budget_tokens'], 'thinking.budget_tokens');
  if (budget !== null && budget < 1)
    throw invalid('thinking.budget_tokens', '"thinking.budget_tokens" must be positive.');
  if (type === 'disabled') return { effort: 'none', budget: null, adaptive: false, hidden };
  return {
    effort: null,
    budget: type === 'enabled' ? budget : null,
    adaptive: type === 'adaptive' || budget === null,
    hidden,
  };
}

const KNOWN: ReadonlySet<string> = new Set(['effort', 'max_tokens', 'exclude', 'enabled']);

function readReasoningObject(
  wish: JsonObject,
  outer: Effort | null,
  isHidden: boolean,
  warnings: Set<string>,
): Reasoning {
  warnOfOthers(wish, KNOWN, 'reasoning.', warnings);
  const enabled = optionalFlag(wish['enabled'], 'reasoning.enabled');
  const tokens = optionalWhole(wish['max_tokens'], 'reasoning.max_tokens');
  if (tokens !== null && tokens < 0)
    throw invalid('reasoning.max_tokens', '"reasoning.max_tokens" must not be negative.');
  const budget = tokens === 0 ? null : tokens;
  const said = optionalWord(wish['effort'], 'reasoning.effort', EFFORTS) ?? outer;
  const off = enabled === false || (tokens === 0 && said === null);
  const effort = off ? 'none' : said;
  const exclude = optionalFlag(wish['exclude'], 'reasoning.exclude');
  return {
    effort,
    budget: off ? null : budget,
    // `exclude` alone hides thoughts and asks for none.
    adaptive: effort === null && budget === null && (enabled === true || exclude !== true),
    hidden: exclude ?? isHidden,
  };
}
