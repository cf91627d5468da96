/**
 * Requests thinking from a Claude model, in the fields that it has in every format: newer ones by an effort, older ones by a budget.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/adaptive-thinking
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 * https://docs.anthropic.com/en/docs/build-with-claude/effort
 */
import {
  ANTHROPIC_REASONING,
  EFFORTS,
  type Effort,
  type Reasoning,
  type ReasoningBlock,
  type Turn,
} from '../../../chat/request.ts';
import type { QuirkOptions } from '../../interface/quirk-options.ts';
import type { WriteTarget } from '../../interface/write-target.ts';

/** What is known of a Claude model; `thinking` as in the quirks of its format. */
export interface ThinkingTarget extends Pick<WriteTarget, 'parameters' | 'efforts'> {
  readonly thinking: NonNullable<QuirkOptions['thinking']> | null;
}

export interface WrittenThinking {
  readonly thinking: Readonly<Record<string, unknown>> | null;
  readonly effort: Effort | null;
  /** Whether the model will think: sampling parameters must then be defaults, and no tool can be forced. */
  readonly thinks: boolean;
}

/** What in the conversation rules out thinking. */
export interface Obstacle {
  /** The model is to continue an answer. */
  readonly prefilled: boolean;
  /** See `openLoopWithoutThought`. */
  readonly openLoop: boolean;
}

/** `outputCap` in tokens, including thinking. */
export function writeClaudeThinking(
  reasoning: Reasoning | null,
  outputCap: number,
  target: ThinkingTarget,
  obstacle: Obstacle,
  warnings: Set<string>,
): WrittenThinking {
  const always = target.thinking === 'always';
  if (reasoning === null || !asksForThought(reasoning)) return { ...NOTHING, thinks: always };
  const off = reasoning.effort === 'none';
  if (target.parameters !== null && !target.parameters.has('reasoning')) {
    if (!off) warnings.add('reasoning was left out, because this model does not accept it');
    return NOTHING;
  }
  if (off && always) {
    warnings.add('this model always thinks; turning thinking off was left out');
    return { ...NOTHING, thinks: true };
  }
  if (off) return { ...NOTHING, thinking: { type: 'disabled' } };
  const byBudget = target.thinking === 'budget';
  if (obstacle.prefilled) {
    warnings.add('thinking was left off, because the model continues a started answer');
    return { ...NOTHING, thinks: always };
  }
  if (byBudget && obstacle.openLoop) {
    warnings.add(LEFT_OFF);
    return NOTHING;
  }
  return byBudget ? writeBudget(reasoning, outputCap, warnings) : writeAdaptive(reasoning, target, warnings);
}

/**
 * Whether the conversation ends with results for calls of a turn that does not begin with a thought of Anthropic's. Models that think by
 * budget then refuse to think. Adaptive ones accept it (see "Validation changes" on their page).
 */
export function openLoopWithoutThought(turns: readonly Turn[]): boolean {
  const last = turns.findLastIndex((turn) => turn.role === 'assistant');
  const turn = turns[last];
  if (turn?.role !== 'assistant' || !turn.blocks.some((block) => block.type === 'tool_call')) return false;
  const first = turn.blocks.find((block) => block.type !== 'reasoning' || isOwnThought(block));
  return first?.type !== 'reasoning';
}

/** Whether Claude accepts this block: only its own thoughts, and only with their signature. */
export function isOwnThought(block: ReasoningBlock): boolean {
  return block.origin === ANTHROPIC_REASONING && (isSet(block.signature) || isSet(block.encrypted));
}

export function isSet(value: string | null): value is string {
  return value !== null && value !== '';
}

/** With only `hidden` set, the model decides whether to think. */
function asksForThought({ effort, budget, adaptive }: Reasoning): boolean {
  return effort !== null || budget !== null || adaptive;
}

/** See `openLoopWithoutThought`. */
export const LEFT_OFF = 'thinking was left off, because an open tool call came without its reasoning';
const NOTHING: WrittenThinking = { thinking: null, effort: null, thinks: false };

function writeAdaptive(reasoning: Reasoning, target: ThinkingTarget, warnings: Set<string>): WrittenThinking {
  if (reasoning.effort !== null && reasoning.budget !== null) {
    warnings.add('the thinking budget was left out: the effort is used instead');
  }
  const asked = reasoning.effort ?? effortOfBudget(reasoning.budget, warnings);
  // The newest models hide their thoughts by default.
  const thinking = { type: 'adaptive', display: reasoning.hidden ? 'omitted' : 'summarized' };
  return { thinking, effort: asked === null ? null : knownEffort(asked, target.efforts, warnings), thinks: true };
}

/** The largest budget, in tokens, that counts as a low effort. */
const LOW_BUDGET_MAX = 4096;
const MEDIUM_BUDGET_MAX = 16_384;

function effortOfBudget(budget: number | null, warnings: Set<string>): Effort | null {
  if (budget === null) return null;
  warnings.add('this model does not support a thinking budget; it was sent as an effort');
  if (budget <= LOW_BUDGET_MAX) return 'low';
  return budget <= MEDIUM_BUDGET_MAX ? 'medium' : 'high';
}

/** The effort itself, or the next lower one that the model accepts, or its lowest. */
function knownEffort(asked: Effort, known: readonly Effort[] | null, warnings: Set<string>): Effort | null {
  // The API has no `minimal`; leaving it out would turn off thinking.
  const effort = asked === 'minimal' ? 'low' : asked;
  if (effort !== asked) warnings.add('the effort was changed to low, the lowest this model supports');
  const usable: readonly Effort[] | null = known?.filter((word) => word !== 'none' && word !== 'minimal') ?? null;
  if (usable === null || usable.includes(effort)) return effort;
  const rank = EFFORTS.indexOf(effort);
  const nearest = usable.findLast((word) => EFFORTS.indexOf(word) < rank) ?? usable[0] ?? null;
  if (nearest === null) warnings.add('this model does not support an effort; it was left out');
  else warnings.add(`the effort was changed to ${nearest}, which this model supports`);
  return nearest;
}

/** The budget of each effort as a percentage of the output cap; OpenRouter's ratios. */
const BUDGET_PERCENT: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 10,
  low: 20,
  medium: 50,
  high: 80,
  xhigh: 95,
  max: 95,
};
/** Tokens. */
const BUDGET_MIN = 1024;

function writeBudget(reasoning: Reasoning, outputCap: number, warnings: Set<string>): WrittenThinking {
  if (outputCap <= BUDGET_MIN) {
    warnings.add('thinking was left off, because the output cap leaves no room for it');
    return NOTHING;
  }
  if (reasoning.effort !== null && reasoning.budget !== null) {
    warnings.add('the effort was left out: the budget is used instead');
  }
  const percent = BUDGET_PERCENT[reasoning.effort ?? 'medium'];
  const asked = reasoning.budget ?? Math.floor((outputCap * percent) / 100);
  const budget = Math.min(Math.max(asked, BUDGET_MIN), outputCap - 1);
  if (reasoning.budget !== null && budget !== asked)
    warnings.add('the thinking budget was changed to one that is possible');
  return { thinking: { type: 'enabled', budget_tokens: budget }, effort: null, thinks: true };
}
