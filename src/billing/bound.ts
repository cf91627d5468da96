/**
 * The most that a call can cost: what is held before a provider is asked. A hold that is too small would let
 * a balance go below zero, so everything unknown is taken at its dearest.
 */
import type { Target } from '../catalog/model.ts';
import { FREE } from '../catalog/prices.ts';
import { ASSUMED_WINDOW } from '../core/assumed-limits.ts';
import type { Money, PicoUsd } from '../core/money.ts';
import { roundUpToNano } from '../core/money.ts';
import type { BillingMode } from './billing-mode.ts';
import { dearestLines } from './dearest-lines.ts';
import { defaultCapOf } from './default-cap.ts';
import { imageTokens } from './image-tokens.ts';

/** A call's cost is at most `fixed + perOutputToken × the output cap`. */
export interface Bound {
  /** Prompt and fees, in pico-USD. */
  readonly fixed: PicoUsd;
  /** Of all the answers together (`n`), for one token of each. */
  readonly perOutputToken: PicoUsd;
  /** The caller's cap, else the most that a target gives, or is asked for. */
  readonly outputCap: number;
  /** Whether the gateway may set a lower cap: the caller gave none. */
  readonly mayLower: boolean;
  readonly unlimitedField?: undefined;
}

/** A request that no balance can pay: the provider may do something any number of times, at a fee. */
export interface Unlimited {
  /** The field that asks for it: `tools`, or one that makes the provider search. */
  readonly unlimitedField: string;
}

/** What a bound needs to know of a request; a dialect's `Peek` says it. */
export interface BoundRequest {
  /** The caller's own, or null. */
  readonly outputCap: number | null;
  readonly choices: number;
  readonly hasTools: boolean;
  /** How many of them are named only: the provider writes their definitions. */
  readonly namedTools: number;
  readonly hasFormat: boolean;
  /** Whether the model may read more than the body holds: up to its context window. */
  readonly promptUnbounded: boolean;
  /** How often tools that the provider runs may be used; 0 without any. */
  readonly serverToolUses: number | 'unbounded';
  /** The field that makes the provider search by itself, apart from tools; null without one. */
  readonly searchField: string | null;
  /** Whether the provider may summarise the conversation first. */
  readonly compacts: boolean;
  readonly media: { readonly images: number; readonly audioTokens: number; readonly bytes: number };
  readonly bodyBytes: number;
  /** How many values and names the body has. */
  readonly values: number;
  /** By how many bytes its text may grow where a tokenizer normalises it. */
  readonly growth: number;
  /** Of an answer that the caller gave beforehand: what the model does not take of it is paid as output, above the cap. */
  readonly predictedTokens: number;
}

/** What is held under a cap of `outputCap` tokens. */
export function amountAt(bound: Bound, outputCap: number): Money {
  return roundUpToNano((bound.fixed + bound.perOutputToken * BigInt(outputCap)) as PicoUsd);
}

/**
 * Each part is the dearest of all targets, wherever the call goes in the end. Null when no target has a price:
 * then nothing can be held. `Unlimited` only in prepaid mode: provider-run tools without a limit.
 */
export function boundOf(
  request: BoundRequest,
  targets: readonly Target[],
  mode: BillingMode,
): Bound | Unlimited | null {
  let fixed = -1n;
  let perOutputToken = 0n;
  let outputCap = 0;
  for (const target of targets) {
    if (target.prices === null) continue;
    const unlimitedField = unlimitedFieldOf(request, target);
    if (unlimitedField !== null && mode === 'prepaid') return { unlimitedField };
    const uses = unlimitedField === null ? usesOf(request, target) : UNLIMITED_USES;
    const window = windowOf(target);
    const promptTokens = promptTokensOf(request, target, window) * readings(request, uses);
    const lines = dearestLines(target.prices, promptTokens);
    const promptAndFees = lines.input * BigInt(promptTokens) + lines.request + lines.webSearch * BigInt(uses);
    const answers = lines.output * BigInt(request.compacts ? 2 * request.choices : request.choices);
    const predicted = lines.output * BigInt(request.predictedTokens * request.choices);
    if (promptAndFees + predicted > fixed) fixed = promptAndFees + predicted;
    if (answers > perOutputToken) perOutputToken = answers;
    outputCap = Math.max(outputCap, Math.min(request.outputCap ?? defaultCapOf(target), window ?? OUTPUT_CAP_MAX));
  }
  if (fixed === -1n) return null;
  return {
    fixed: fixed as PicoUsd,
    perOutputToken: perOutputToken as PicoUsd,
    outputCap,
    mayLower: request.outputCap === null,
  };
}

/**
 * The most tokens that one reading of the prompt takes. Of text a tokenizer makes at most a token a byte, once it has
 * normalised it, and the JSON around each message, part and tool is longer than the marks that a model's template, or a translation, puts there. `window` is null
 * where nobody knows it: then only what the body does not bound goes by the one assumed.
 */
export function promptBound(request: BoundRequest, upstreamModel: string, window: number | null): number {
  if (request.promptUnbounded && window !== null) return window;
  const { images, audioTokens, bytes } = request.media;
  const isDefined = request.hasTools || request.hasFormat;
  const added = isDefined
    ? TOOLS_OVERHEAD + DEFINITION_MARKS * request.values + NAMED_TOOL * request.namedTools
    : OVERHEAD;
  const text = request.bodyBytes - bytes + request.growth + added;
  const media = audioTokens + (images === 0 ? 0 : images * imageTokens(upstreamModel));
  if (window !== null) return Math.min(window, text + media);
  return request.promptUnbounded ? Math.max(ASSUMED_WINDOW, text + media) : text + media;
}

/** What a provider says to its model before the caller does: at most some ninety tokens, of which the body's own frame covers a part. */
const OVERHEAD = 64;
/**
 * The same with tools, up to 804 on the Messages API, and with an answer format, which comes to tools where it is translated:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing
 */
const TOOLS_OVERHEAD = 1024;
/**
 * Definitions of tools and formats are written anew for the model: with a space after each mark of the JSON, or as types of
 * another language (`1 | 2` for `1,2`). That is at most so many tokens more for each value and name.
 */
const DEFINITION_MARKS = 2;
/**
 * What a provider writes for a tool that is named only: 245 tokens for Anthropic's bash, 700 for its text editor, 735 for its
 * computer, and instructions. https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing
 */
const NAMED_TOOL = 2048;
/** Of a model whose window nobody knows, the caller's own cap is the only one. */
const OUTPUT_CAP_MAX = Number.MAX_SAFE_INTEGER;
/** What a model reads whose price list goes on above its window: a header of the caller's may ask for the long one. */
const LONG_WINDOW = 1_000_000;
/** Where no balance is at stake, tools without a limit are taken to be used this often. */
const UNLIMITED_USES = 25;

function windowOf({ contextWindow, prices }: Target): number | null {
  if (contextWindow === null) return null;
  const lastTier = prices?.tiers.at(-1);
  return lastTier !== undefined && lastTier.abovePromptTokens >= contextWindow
    ? Math.max(contextWindow, LONG_WINDOW)
    : contextWindow;
}

/** The prompt is read again after each use of a tool, and once more to be summarised. */
function readings(request: BoundRequest, uses: number): number {
  return (uses + 1) * (request.compacts ? 2 : 1);
}

/** What a model finds that searches with every call is in its prompt, too. */
function promptTokensOf(request: BoundRequest, target: Target, window: number | null): number {
  const asked = target.searchesAlways === true ? { ...request, promptUnbounded: true } : request;
  return promptBound(asked, target.upstreamModel, window);
}

/** Null where it is known how often the provider's tools are used, or they cost nothing. */
function unlimitedFieldOf({ serverToolUses, searchField }: BoundRequest, target: Target): string | null {
  if (target.prices === FREE) return null;
  if (serverToolUses === 'unbounded') return 'tools';
  return target.searchesAlways === true ? null : searchField;
}

function usesOf({ serverToolUses }: BoundRequest, target: Target): number {
  return target.prices === FREE || serverToolUses === 'unbounded' ? 0 : serverToolUses;
}
