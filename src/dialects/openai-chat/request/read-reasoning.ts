/**
 * Reads how much the caller wants the model to think, from OpenRouter's `reasoning` object, OpenAI's `reasoning_effort`, Anthropic's
 * `thinking`, which LiteLLM also sends in this format, or the older `include_reasoning`, in this order.
 *
 * https://openrouter.ai/docs/use-cases/reasoning-tokens, https://docs.litellm.ai/docs/reasoning_content
 */
import { EFFORTS, type Effort, type Reasoning } from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import {
  isAbsent,
  readFlagOrNull,
  readObject,
  readWholeOrNull,
  readWord,
  readWordOrNull,
} from '../../kit/request/request-values.ts';
import { warnOfUnknown } from './unknown-fields.ts';

/** Null when the caller did not say. `budget` is in tokens. */
export function readReasoning(body: JsonObject, warnings: Set<string>): Reasoning | null {
  const effort = readWordOrNull(body['reasoning_effort'], 'reasoning_effort', EFFORTS);
  const included = readFlagOrNull(body['include_reasoning'], 'include_reasoning');
  const sent = body['thinking'];
  const thinking = isAbsent(sent) || sent === false ? null : readObject(sent, 'thinking');
  if (!isAbsent(body['reasoning'])) {
    if (thinking !== null) warnings.add('thinking was left out: reasoning is used instead');
    return readReasoningObject(readObject(body['reasoning'], 'reasoning'), effort, included === false, warnings);
  }
  if (thinking !== null) {
    if (effort === null) return readThinking(thinking, included === false, warnings);
    warnings.add('thinking was left out: reasoning_effort is used instead');
  }
  if (effort !== null) return { effort, budget: null, adaptive: false, hidden: included === false };
  if (included === null) return null;
  // `false` hides thoughts, but does not change how much the model thinks.
  return { effort: null, budget: null, adaptive: included, hidden: !included };
}

/** `{"type":"enabled","budget_tokens":2000}`, `{"type":"adaptive"}`, `{"type":"disabled"}`. */
function readThinking(thinking: JsonObject, hidden: boolean, warnings: Set<string>): Reasoning {
  const type = readWord(thinking['type'], 'thinking.type', ['enabled', 'adaptive', 'disabled']);
  const budget = readWholeOrNull(thinking['budget_tokens'], 'thinking.budget_tokens');
  if (budget !== null && budget < 1)
    throw invalid('thinking.budget_tokens', '"thinking.budget_tokens" must be positive.');
  warnOfUnknown(thinking, type === 'enabled' ? KNOWN_OF_BUDGET : KNOWN_OF_TYPE, 'thinking.', warnings);
  if (type === 'disabled') return { effort: 'none', budget: null, adaptive: false, hidden };
  return {
    effort: null,
    budget: type === 'enabled' ? budget : null,
    adaptive: type === 'adaptive' || budget === null,
    hidden,
  };
}

const KNOWN_OF_BUDGET: ReadonlySet<string> = new Set(['type', 'budget_tokens']);
const KNOWN_OF_TYPE: ReadonlySet<string> = new Set(['type']);
const KNOWN: ReadonlySet<string> = new Set(['effort', 'max_tokens', 'exclude', 'enabled']);

function readReasoningObject(
  wish: JsonObject,
  outer: Effort | null,
  isHidden: boolean,
  warnings: Set<string>,
): Reasoning {
  warnOfUnknown(wish, KNOWN, 'reasoning.', warnings);
  const enabled = readFlagOrNull(wish['enabled'], 'reasoning.enabled');
  const tokens = readWholeOrNull(wish['max_tokens'], 'reasoning.max_tokens');
  if (tokens !== null && tokens < 0)
    throw invalid('reasoning.max_tokens', '"reasoning.max_tokens" must not be negative.');
  const budget = tokens === 0 ? null : tokens;
  const inner = readWordOrNull(wish['effort'], 'reasoning.effort', EFFORTS);
  if (inner !== null && outer !== null && inner !== outer)
    warnings.add('reasoning_effort was left out: reasoning.effort is used instead');
  const named = inner ?? outer;
  const off = enabled === false || (tokens === 0 && named === null);
  const effort = off ? 'none' : named;
  if (effort === 'none' && budget !== null) warnings.add('reasoning.max_tokens was left out: reasoning is off');
  const exclude = readFlagOrNull(wish['exclude'], 'reasoning.exclude');
  return {
    effort,
    budget: off ? null : budget,
    // `exclude` alone hides thoughts and does not request any.
    adaptive: effort === null && budget === null && (enabled === true || exclude !== true),
    hidden: exclude ?? isHidden,
  };
}
