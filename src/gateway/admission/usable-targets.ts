/**
 * The targets of a model that a call can be sent to: with a price if calls are paid in advance, running the tools that the call leaves to
 * the provider, in a format that the call can be written in.
 */
import {
  ignoredLimitError,
  priceFlag,
  unitNotPricedError,
  unlimitedUseError,
  unpricedToolError,
} from '../../billing/refusal.ts';
import type { Prices, Target } from '../../catalog/model.ts';
import { FREE, hasTokenPrices } from '../../catalog/prices.ts';
import { GatewayError } from '../../core/errors.ts';
import { feeOf, SEARCH_ONLY, type ServerTool } from '../../core/server-tools.ts';
import { unitLineOf } from '../../core/units/units.ts';
import { type CallerDialectName, callerDialects, type DialectName } from '../../dialects/index.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { Operation } from '../../operations/operation.ts';

type ToolPeek = Pick<
  Peek,
  'serverToolUses' | 'limitsToolsTogether' | 'translatedToolUses' | 'serverTools' | 'searchField'
>;

/**
 * The targets where everything that the call may be charged for has a price. Throws `GatewayError` 404 `model_not_priced`,
 * 400 `unsupported_value`.
 */
export function paidTargets(
  targets: readonly Target[],
  dialect: CallerDialectName,
  peek: Pick<Peek, 'model' | 'units'> & ToolPeek,
): readonly Target[] {
  const priced = unitTargets(pricedTargets(targets, peek.model, peek.units), peek);
  const isWithoutTools = peek.serverToolUses === 0 && peek.searchField === null;
  return isWithoutTools ? priced : searchableTargets(priced, dialect, peek);
}

/**
 * The targets that run the tools which the call leaves to the provider, as far as that is known. Throws `GatewayError` 400
 * `unsupported_value`, which names a tool that none of them runs.
 */
export function runningTargets(
  targets: readonly Target[],
  dialect: DialectName,
  { serverToolUses, translatedToolUses, serverTools }: Omit<ToolPeek, 'searchField'>,
): readonly Target[] {
  if (serverToolUses === 0 || serverTools === undefined) return targets;
  return targetsThatRun(serverTools, targets, dialect, translatedToolUses);
}

function targetsThatRun(
  serverTools: readonly ServerTool[],
  targets: readonly Target[],
  dialect: DialectName,
  translatedToolUses: Peek['translatedToolUses'],
): readonly Target[] {
  const runs = (target: Target, tool: ServerTool) =>
    tool === 'other' ||
    target.serverTools === undefined ||
    target.serverTools.includes(tool) ||
    needsNone(target, dialect, translatedToolUses);
  const running = targets.filter((target) => serverTools.every((tool) => runs(target, tool)));
  if (running.length > 0) return running;
  const missing = serverTools.find((tool) => !targets.some((target) => runs(target, tool)));
  throw new GatewayError('unsupported_value', {
    message:
      missing === undefined
        ? `No provider of this model runs all of these tools: ${serverTools.join(', ')}. Leave some out, or use another model.`
        : `No provider of this model runs the tool "${missing}". Leave the tool out, or use another model.`,
    param: 'tools',
  });
}

/** Whether one of the targets is charged for what a relayed call has done there: it has prices, and speaks the caller's `dialect`. */
export function isCharged(targets: readonly Target[], dialect: DialectName): boolean {
  return targets.some((target) => isPriced(target) && !isFree(target) && speaks(target, dialect));
}

/** Throws `GatewayError` 404 `model_not_priced`. */
export function pricedTargets(targets: readonly Target[], model: string, units?: Peek['units']): readonly Target[] {
  if (targets.every(isPriced)) return targets;
  const priced = targets.filter(isPriced);
  if (priced.length > 0) return priced;
  throw new GatewayError('model_not_priced', {
    message:
      `${model} has no price, and billing is prepaid. The operator can set a price, or \`free\`, in turnpike.yaml, in the dashboard or with ` +
      `\`turnpike providers update ${targets[0]?.provider ?? '<name>'} --models … --price ${priceFlag(units)}\`.`,
    param: 'model',
  });
}

/**
 * Of targets with a price, those that have one for what the call is charged for: the units that it asks for, or tokens. Throws `GatewayError`
 * 404 `model_not_priced`.
 */
function unitTargets(targets: readonly Target[], { model, units }: Pick<Peek, 'model' | 'units'>): readonly Target[] {
  const isCovered = (target: Target) => isFree(target) || hasLineFor(target.prices, units);
  if (targets.every(isCovered)) return targets;
  const covered = targets.filter(isCovered);
  if (covered.length > 0) return covered;
  throw unitNotPricedError(model, units, targets[0]?.provider ?? '<name>');
}

function hasLineFor(prices: Prices | null, units: Peek['units']): boolean {
  if (prices === null) return false;
  if (units !== undefined && unitLineOf(prices.units, units.name) !== 0) return true;
  if (units !== undefined && !units.orTokens) return false;
  // A list of units alone says nothing about tokens.
  return hasTokenPrices(prices) || (units === undefined && prices.units.length === 0);
}

function isPriced({ prices }: Target): boolean {
  return prices !== null;
}

/**
 * Of targets with a price, those where the provider's own tools have one too: a use of a limited tool, or a search that
 * `searchField` asks for, which is only known for models that search with every call. Throws `GatewayError` 400
 * `unsupported_value` if none is left.
 */
function searchableTargets(
  targets: readonly Target[],
  dialect: CallerDialectName,
  { serverToolUses, limitsToolsTogether, translatedToolUses, serverTools = SEARCH_ONLY, searchField }: ToolPeek,
): readonly Target[] {
  const { toolUses } = callerDialects[dialect].costLimits;
  let usable = targets;
  if (searchField !== null) {
    usable = targets.filter((target) => target.searchesAlways === true || isFree(target));
    if (usable.length === 0) throw unlimitedUseError(searchField, toolUses);
    if (serverToolUses === 0) return usable;
  }
  if (limitsToolsTogether === true) {
    usable = usable.filter(
      (target) => target.ignoresToolLimit !== true || isFree(target) || needsNone(target, dialect, translatedToolUses),
    );
    if (usable.length === 0) throw ignoredLimitError();
  }
  const priced = usable.filter(
    (target) =>
      isFree(target) ||
      needsNone(target, dialect, translatedToolUses) ||
      serverTools.every((tool) => hasFee(target.prices, tool)),
  );
  if (priced.length > 0) return priced;
  const tool = serverTools.find((each) => !usable.some(({ prices }) => hasFee(prices, each)));
  if (serverToolUses === 'unbounded' && (tool === undefined || feeOf(tool) !== 'unknown' || tool === 'other'))
    throw unlimitedUseError('tools', toolUses);
  throw unpricedToolError(tool ?? null);
}

/** Whether it is known what a use of the tool costs. */
function hasFee(prices: Prices | null, tool: ServerTool): boolean {
  const line = feeOf(tool);
  return line === 'none' || (line !== 'unknown' && (prices?.[line] ?? null) !== null);
}

function isFree({ prices }: Target): boolean {
  return prices === FREE;
}

/** The targets whose provider has the operation. Throws `GatewayError` 400 `unsupported_value` if there are none. */
export function servingTargets(
  targets: readonly Target[],
  isServed: (target: Target) => boolean,
  { name }: Pick<Operation, 'name'>,
): readonly Target[] {
  const serving = targets.every(isServed) ? targets : targets.filter(isServed);
  if (serving.length > 0) return serving;
  throw new GatewayError('unsupported_value', {
    message: `No provider of this model accepts ${name} requests in this format.`,
    param: 'model',
  });
}

/** Whether the request is translated for this target, and then has none of those tools. */
function needsNone(target: Target, dialect: DialectName, translatedToolUses: Peek['translatedToolUses']): boolean {
  return translatedToolUses === 0 && !speaks(target, dialect);
}

function speaks({ dialects }: { readonly dialects: readonly DialectName[] }, dialect: DialectName): boolean {
  return dialects.includes(dialect);
}
