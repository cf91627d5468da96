/**
 * Requests thinking: Gemini 3 by a level, Gemini 2.5 by a number of tokens; a request with both is refused.
 *
 * https://ai.google.dev/gemini-api/docs/thinking
 */
import { EFFORTS, type Effort, type Reasoning } from '../../../chat/request.ts';
import type { DialectTarget } from '../quirks.ts';
import type { Written } from './written.ts';

/** `thinkingConfig`, or nothing. */
export function writeReasoning(reasoning: Reasoning | null, target: DialectTarget, warnings: Set<string>): Written {
  if (reasoning === null) return {};
  const off = reasoning.effort === 'none';
  const asks = reasoning.effort !== null || reasoning.budget !== null || reasoning.adaptive;
  const isTaken = target.quirks.thinking !== 'none' && target.parameters?.has('reasoning') !== false;
  if (!isTaken) {
    if (asks && !off) warnings.add('reasoning was left out, because this model does not accept it');
    return {};
  }
  const amount = target.quirks.thinking === 'budget' ? writeBudget : writeLevel;
  const thinkingConfig: Written = {
    ...amount(reasoning, target, warnings),
    // Without it the thoughts are not sent.
    ...(asks && !off && !reasoning.hidden && { includeThoughts: true }),
  };
  return Object.keys(thinkingConfig).length === 0 ? {} : { thinkingConfig };
}

type Level = 'minimal' | 'low' | 'medium' | 'high';

/** The largest budget, in tokens, that counts as a low or a medium effort. */
const LOW_BUDGET_MAX = 4096;
const MEDIUM_BUDGET_MAX = 16_384;

function writeLevel({ effort, budget }: Reasoning, target: DialectTarget, warnings: Set<string>): Written {
  if (effort !== null && budget !== null) warnings.add(BUDGET_LEFT_OUT);
  else if (budget !== null) warnings.add('this model does not support a thinking budget; it was sent as a level');
  const asked = effort ?? effortOfBudget(budget);
  return asked === null ? {} : { thinkingLevel: nearestLevel(asked, levelsOf(target), warnings).toUpperCase() };
}

const BUDGET_LEFT_OUT = 'the thinking budget was left out: the effort is used instead';

function effortOfBudget(budget: number | null): Effort | null {
  if (budget === null) return null;
  if (budget === 0) return 'none';
  if (budget <= LOW_BUDGET_MAX) return 'low';
  return budget <= MEDIUM_BUDGET_MAX ? 'medium' : 'high';
}

const LEVELS: readonly Level[] = ['minimal', 'low', 'medium', 'high'];
/** Pro models do not take `minimal`. */
const LEVELS_OF_PRO: readonly Level[] = ['low', 'medium', 'high'];

function levelsOf({ upstreamModel, efforts }: DialectTarget): readonly Level[] {
  const known = efforts === null ? [] : LEVELS.filter((level) => efforts.includes(level));
  if (known.length > 0) return known;
  return /-pro\b/.test(upstreamModel) ? LEVELS_OF_PRO : LEVELS;
}

/** The level itself, else the next lower one, else the lowest. These models cannot be kept from thinking. */
function nearestLevel(asked: Effort, levels: readonly Level[], warnings: Set<string>): Level {
  const exact = levels.find((level) => level === asked);
  if (exact !== undefined) return exact;
  const rank = EFFORTS.indexOf(asked);
  const nearest = levels.findLast((level) => EFFORTS.indexOf(level) < rank) ?? levels[0] ?? 'low';
  if (asked === 'none') warnings.add(`this model always thinks; its level was set to ${nearest}, the lowest`);
  else warnings.add(`the effort was changed to ${nearest}, which this model supports`);
  return nearest;
}

interface Budgets {
  readonly min: number;
  readonly max: number;
  readonly mayBeOff: boolean;
}

/** Tokens: https://ai.google.dev/gemini-api/docs/thinking#set-budget */
const OF_PRO: Budgets = { min: 128, max: 32_768, mayBeOff: false };
const OF_FLASH: Budgets = { min: 1, max: 24_576, mayBeOff: true };
const OF_FLASH_LITE: Budgets = { min: 512, max: 24_576, mayBeOff: true };

/** As Google's compatible API reads an effort: https://ai.google.dev/gemini-api/docs/openai#thinking */
const BUDGET_OF_EFFORT: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: Number.POSITIVE_INFINITY,
  max: Number.POSITIVE_INFINITY,
};
/** The model decides. */
const DYNAMIC = -1;

function writeBudget({ effort, budget, adaptive }: Reasoning, target: DialectTarget, warnings: Set<string>): Written {
  if (effort !== null && budget !== null) warnings.add('the effort was left out: the budget is used instead');
  const asked = budget ?? (effort === null ? null : BUDGET_OF_EFFORT[effort]);
  if (asked === null) return adaptive ? { thinkingBudget: DYNAMIC } : {};
  const { min, max, mayBeOff } = budgetsOf(target.upstreamModel);
  if (asked === 0 && mayBeOff) return { thinkingBudget: 0 };
  const possible = Math.min(Math.max(asked, min), max);
  if (asked === 0) warnings.add('this model always thinks; its budget was set to the lowest');
  else if (budget !== null && possible !== budget)
    warnings.add('the thinking budget was changed to one that is possible');
  return { thinkingBudget: possible };
}

function budgetsOf(model: string): Budgets {
  if (/-pro\b/.test(model)) return OF_PRO;
  return /-lite\b/.test(model) ? OF_FLASH_LITE : OF_FLASH;
}
