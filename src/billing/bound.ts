/**
 * The most that a call can cost: what is held before a provider is asked. A hold that is too small would let
 * a balance go below zero, so everything unknown is taken at its most expensive.
 */
import type { Prices, Target } from '../catalog/model.ts';
import { FREE } from '../catalog/prices.ts';
import { ASSUMED_WINDOW } from '../core/assumed-limits.ts';
import type { Money, PicoUsd } from '../core/money.ts';
import { roundUpToNano } from '../core/money.ts';
import { LIST_RATE, NO_CHARGE, priceAtRate, type Rate } from '../core/rates/rate.ts';
import { feeOf, SEARCH_ONLY, type ServerTool } from '../core/server-tools.ts';
import { unitLineOf } from '../core/units/units.ts';
import type { BillingMode } from './billing-mode.ts';
import { unitPriceOf } from './cost.ts';
import { type DearestLines, dearestLines } from './dearest-lines.ts';
import { defaultCapOf } from './default-cap.ts';
import { imageTokens } from './image-tokens.ts';

/** What a call is charged, before its ending is considered, is at most `fixed + perOutputToken × the output cap`. */
export interface Bound {
  /** Prompt and fees, in pico-USD. */
  readonly fixed: PicoUsd;
  /** For one token in each of the answers (`n`) together. */
  readonly perOutputToken: PicoUsd;
  /** The caller's cap, else the largest cap of a target, or the assumed one. */
  readonly outputCap: number;
  /** Whether the gateway may set a lower cap: the caller gave none, and the model keeps to it. */
  readonly mayLower: boolean;
  readonly unlimitedField?: undefined;
}

/** A request that no balance can pay: the provider may do something any number of times, at a fee. */
export interface Unlimited {
  /** The field that asks for it: `tools`, or one that makes the provider search. */
  readonly unlimitedField: string;
}

/** What a bound needs to know about a request; a dialect's `Peek` has these fields. */
export interface BoundRequest {
  /** The caller's own, or null. */
  readonly outputCap: number | null;
  readonly choices: number;
  readonly hasTools: boolean;
  /** How many of the tools have only a name: the provider adds their definitions. */
  readonly namedTools: number;
  readonly hasFormat: boolean;
  /** Whether the model may read more than the body, up to its context window. */
  readonly promptUnbounded: boolean;
  /** How often tools that the provider runs may be used; 0 without any. */
  readonly serverToolUses: number | 'unbounded';
  /** Set if that is one limit for all of them, which a target may ignore. */
  readonly limitsToolsTogether?: true;
  /** The tools that the provider may run; `SEARCH_ONLY` if absent. */
  readonly serverTools?: readonly ServerTool[];
  /** The same for the request once it is translated; absent if it is equal. */
  readonly translatedToolUses?: 0;
  /** The field, other than `tools`, that makes the provider search; null without one. */
  readonly searchField: string | null;
  /** Whether the provider may summarise the conversation first. */
  readonly compacts: boolean;
  readonly media: { readonly images: number; readonly audioTokens: number; readonly bytes: number };
  readonly bodyBytes: number;
  /** How many values and names the body has. */
  readonly values: number;
  /** By how many bytes its text may grow when a tokenizer normalises it. */
  readonly growth: number;
  /** How many requests it is in one. Absent if it is one. */
  readonly requests?: number;
  /** What the model reads in addition to the body, at most, because several requests have a part of the prompt in common. */
  readonly repeatedTokens?: number;
  /** Tokens of a predicted answer in the request. Those that the model rejects are billed as output, beyond the cap. */
  readonly predictedTokens: number;
  /** What it asks for that is not counted in tokens. Absent if nothing. */
  readonly units?: AskedUnits;
}

export interface AskedUnits {
  /** See `unitLineOf`: a part of it may be open until the answer. */
  readonly name: string;
  readonly most: number;
}

/** What is held under a cap of `outputCap` tokens. */
export function amountAt(bound: Bound, outputCap: number): Money {
  return roundUpToNano((bound.fixed + bound.perOutputToken * BigInt(outputCap)) as PicoUsd);
}

/** The rate of the target at this place. */
export type RateAt = (index: number) => Rate;

/**
 * Each part is the most expensive of all targets, each at its rate, whichever serves the call. Null if no target has a price: then nothing
 * can be held. `Unlimited` only in prepaid mode: provider-run tools without a limit, of a target that is not free at its rate.
 */
export function boundOf(
  request: BoundRequest,
  targets: readonly Target[],
  mode: BillingMode,
  rateAt: RateAt = atListPrice,
): Bound | Unlimited | null {
  let fixed = -1n;
  let perOutputToken = 0n;
  let outputCap = 0;
  let mayLower = request.outputCap === null;
  for (let index = 0; index < targets.length; index += 1) {
    const target = targets[index] as Target;
    if (target.prices === null) continue;
    const rate = rateAt(index);
    const unlimitedField = rate === NO_CHARGE ? null : unlimitedFieldOf(request, target);
    if (unlimitedField !== null && mode === 'prepaid') return { unlimitedField };
    const uses = unlimitedField === null ? usesOf(request, target) : UNLIMITED_USES;
    const window = windowOf(target);
    const promptTokens = promptTokensOf(request, target, window) * readingsOf(request, uses);
    const lines = dearestLines(target.prices, promptTokens);
    const fees = lines.request + toolFee(request, lines) * BigInt(uses) + unitFee(request, target.prices);
    const input = mayReadImages(request, target, uses) ? lines.inputWithImages : lines.input;
    const promptAndFees = input * BigInt(promptTokens) + fees;
    const answers = lines.output * BigInt(request.compacts ? 2 * request.choices : request.choices);
    const predicted = lines.output * BigInt(request.predictedTokens * request.choices);
    const fixedAtRate = fixedAt(rate, promptAndFees + predicted, answers);
    const answersAtRate = priceAtRate(answers as PicoUsd, rate);
    if (fixedAtRate > fixed) fixed = fixedAtRate;
    if (answersAtRate > perOutputToken) perOutputToken = answersAtRate;
    outputCap = Math.max(outputCap, Math.min(capOf(request, target), outputWindow(request, window)));
    if (drawsImages(target)) mayLower = false;
  }
  if (fixed === -1n) return null;
  return {
    fixed: fixed as PicoUsd,
    perOutputToken: perOutputToken as PicoUsd,
    outputCap,
    mayLower,
  };
}

function atListPrice(): Rate {
  return LIST_RATE;
}

/** A cost is rounded up to a nano-dollar before the rate is applied, which may add this much less than one, in pico-USD. */
const ROUNDED_UP = 999n;

function fixedAt(rate: Rate, fixed: bigint, perOutputToken: bigint): bigint {
  if (rate === LIST_RATE || (fixed === 0n && perOutputToken === 0n)) return fixed;
  return priceAtRate((fixed + ROUNDED_UP) as PicoUsd, rate);
}

/** What covers both: each part is the more expensive one. */
export function dearestBound(one: Bound | null, other: Bound | null): Bound | null {
  if (one === null || other === null) return one ?? other;
  return {
    fixed: one.fixed > other.fixed ? one.fixed : other.fixed,
    perOutputToken: one.perOutputToken > other.perOutputToken ? one.perOutputToken : other.perOutputToken,
    outputCap: Math.max(one.outputCap, other.outputCap),
    mayLower: one.mayLower && other.mayLower,
  };
}

/**
 * The most tokens that reading the prompt once can take. After normalising, a tokenizer makes at most one token per byte of
 * text; and the JSON around each message, part and tool is longer than the marks that a model's template, or a translation,
 * puts there. `windowOfOne` is the model's, and each of several requests in one has its own. Null if unknown: then the assumed
 * window applies only to what the body does not bound.
 */
export function promptBound(request: BoundRequest, upstreamModel: string, windowOfOne: number | null): number {
  const { requests = 1, repeatedTokens = 0 } = request;
  const window = windowOfOne === null ? null : windowOfOne * requests;
  if (request.promptUnbounded && window !== null) return window;
  const { images, audioTokens, bytes } = request.media;
  const isDefined = request.hasTools || request.hasFormat;
  const added = isDefined
    ? TOOLS_OVERHEAD + DEFINITION_MARKS * request.values + NAMED_TOOL * request.namedTools
    : OVERHEAD;
  const text =
    request.bodyBytes - bytes + request.growth + repeatedTokens + added + requests * ownInstructions(upstreamModel);
  const media = audioTokens + (images === 0 ? 0 : images * imageTokens(upstreamModel));
  if (window !== null) return Math.min(window, text + media);
  return request.promptUnbounded ? Math.max(ASSUMED_WINDOW * requests, text + media) : text + media;
}

/** The provider's own instructions to its model: at most about 90 tokens, part of which the JSON around the messages covers. */
const OVERHEAD = 64;

/** Beyond that: xAI charges for instructions of its own, 679 tokens in Grok 4's prompts by its count of what it had cached. */
function ownInstructions(upstreamModel: string): number {
  return GROK.test(upstreamModel) ? GROK_OVERHEAD : 0;
}
const GROK = /\bgrok-/i;
const GROK_OVERHEAD = 1024;

/**
 * The same with tools (up to 804 on the Messages API), or with an answer format, which a translation turns into tools:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing
 */
const TOOLS_OVERHEAD = 1024;
/**
 * Definitions of tools and formats are rewritten for the model: with a space after each mark of the JSON, or as types of
 * another language (`1 | 2` for `1,2`). That adds at most this many tokens for each value and name.
 */
const DEFINITION_MARKS = 2;
/**
 * What a provider writes for a tool that has only a name: 245 tokens for Anthropic's bash, 700 for its text editor, 735 for its
 * computer, and instructions. https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing
 */
const NAMED_TOOL = 2048;
/** If the window is unknown, only the caller's own cap applies. */
const OUTPUT_CAP_MAX = Number.MAX_SAFE_INTEGER;
/** The window of a model whose price list goes beyond its window: a header of the caller's may request the long one. */
const LONG_WINDOW = 1_000_000;
/** If no balance pays, unlimited tools are assumed to be used this often. */
const UNLIMITED_USES = 25;

function windowOf({ contextWindow, prices }: Target): number | null {
  if (contextWindow === null) return null;
  const lastTier = prices?.tiers.at(-1);
  return lastTier !== undefined && lastTier.abovePromptTokens >= contextWindow
    ? Math.max(contextWindow, LONG_WINDOW)
    : contextWindow;
}

/** What is not text need not fit into the window. */
function outputWindow({ units }: BoundRequest, window: number | null): number {
  return units === undefined ? (window ?? OUTPUT_CAP_MAX) : OUTPUT_CAP_MAX;
}

/** A cap that is too small for one image does not keep a model from drawing it, so the model's own applies. */
function capOf({ outputCap }: BoundRequest, target: Target): number {
  if (outputCap === null) return defaultCapOf(target);
  return drawsImages(target) ? Math.max(outputCap, defaultCapOf(target)) : outputCap;
}

/** Whether the prompt may have images: in the request, or in what is added to it. A file may be pages that the model sees. */
function mayReadImages({ media, promptUnbounded }: BoundRequest, target: Target, uses: number): boolean {
  return media.images > 0 || media.bytes > 0 || promptUnbounded || uses > 0 || target.searchesAlways === true;
}

/** Whether its images have a price of their own. */
function drawsImages({ prices }: Target): boolean {
  return (
    prices !== null && (prices.outputImage !== null || prices.tiers.some(({ outputImage }) => outputImage !== null))
  );
}

/** How often the prompt is read: again after each use of a tool, and twice with a summary. */
function readingsOf(request: BoundRequest, uses: number): number {
  return (uses + 1) * (request.compacts ? 2 : 1);
}

/** For a model that searches with every call, the results are part of the prompt. */
function promptTokensOf(request: BoundRequest, target: Target, window: number | null): number {
  const asked = target.searchesAlways === true ? { ...request, promptUnbounded: true } : request;
  return promptBound(asked, target.upstreamModel, window);
}

/** Null if the number of uses of the provider's tools is limited, or they cost nothing. */
function unlimitedFieldOf(request: BoundRequest, target: Target): string | null {
  const { serverToolUses, searchField } = request;
  if (target.prices === FREE) return null;
  if (serverToolUses === 'unbounded') return 'tools';
  if (serverToolUses > 0 && (isLimitIgnored(request, target) || toolsOf(request).some(hasUnknownFee))) return 'tools';
  return target.searchesAlways === true ? null : searchField;
}

function isLimitIgnored({ limitsToolsTogether }: BoundRequest, { ignoresToolLimit }: Target): boolean {
  return limitsToolsTogether === true && ignoresToolLimit === true;
}

/** The most that its units cost. */
function unitFee({ units }: BoundRequest, prices: Prices): bigint {
  if (units === undefined) return 0n;
  const unitLine = unitLineOf(prices.units, units.name);
  return unitLine === 0 ? 0n : unitPriceOf({ unitLine }, prices) * BigInt(units.most);
}

/** The most that one use of a tool costs besides tokens. */
function toolFee(request: BoundRequest, lines: DearestLines): PicoUsd {
  let most = 0n as PicoUsd;
  if (request.serverToolUses === 0) return most;
  for (const tool of toolsOf(request)) {
    const line = feeOf(tool);
    if (line === 'none' || line === 'unknown') continue;
    if (lines[line] > most) most = lines[line];
  }
  return most;
}

function toolsOf({ serverTools }: BoundRequest): readonly ServerTool[] {
  return serverTools ?? SEARCH_ONLY;
}

function hasUnknownFee(tool: ServerTool): boolean {
  return feeOf(tool) === 'unknown';
}

function usesOf({ serverToolUses }: BoundRequest, target: Target): number {
  return target.prices === FREE || serverToolUses === 'unbounded' ? 0 : serverToolUses;
}
