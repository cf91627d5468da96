/** What a call consumed, by its ending: as its provider counted it, otherwise as estimated; and what that costs. */
import { costOf } from '../../billing/cost.ts';
import { countUsage } from '../../billing/estimate.ts';
import { type Money, roundUpToNano } from '../../core/money.ts';
import type { Ending } from '../../core/settlement.ts';
import {
  completionTokens,
  NO_USAGE,
  promptTokens,
  type ReportedParts,
  type Usage,
  type UsageSource,
} from '../../core/usage.ts';
import type { Meter } from '../../dialects/interface/meter.ts';
import type { Admitted, Routed } from '../phases.ts';

/** The cost of a usage at the call's pinned prices; null if the model has none. */
export function costAt({ target }: Routed, usage: Usage): Money | null {
  const { prices } = target;
  return prices === null ? null : roundUpToNano(costOf(usage, prices));
}

/** No model processes as many units in a call; a larger count is invalid, and would not fit the ledger's integers. */
const UNITS_MAX = 1_000_000_000;

export function isPlausible(usage: Usage | null): boolean {
  if (usage === null) return true;
  return (
    usage.inputTokens <= UNITS_MAX &&
    usage.cacheReadTokens <= UNITS_MAX &&
    usage.cacheWriteTokens <= UNITS_MAX &&
    usage.cacheWrite1hTokens <= UNITS_MAX &&
    usage.inputAudioTokens <= UNITS_MAX &&
    usage.outputTokens <= UNITS_MAX &&
    usage.outputAudioTokens <= UNITS_MAX &&
    usage.cachedAudioTokens <= UNITS_MAX &&
    usage.inputImageTokens <= UNITS_MAX &&
    usage.outputImageTokens <= UNITS_MAX &&
    usage.reasoningTokens <= UNITS_MAX &&
    usage.webSearches <= UNITS_MAX &&
    usage.fileSearches <= UNITS_MAX &&
    usage.codeContainers <= UNITS_MAX &&
    usage.units <= UNITS_MAX
  );
}

/** Whether the answer came to its end but could not be delivered: the provider's report then covers all of it. */
function isCompleteReport({ state }: Meter, ending: Ending): boolean {
  return ending === 'upstream_failed' && (state === 'finished' || state === 'empty');
}

/**
 * Which parts of the meter's usage are the provider's own count. A provider that reports no output, but delivers some, has
 * not counted it; if all is zero, it has counted nothing.
 */
export function countedParts(meter: Meter): ReportedParts {
  const usage = meter.usage();
  if (usage === null || !isPlausible(usage)) return 'none';
  const reported = meter.reported();
  // What is charged by the piece need not have tokens.
  if (usage.unitLine > 0 || completionTokens(usage) > 0 || meter.delivered().outputBytes === 0) return reported;
  return reported === 'output' || promptTokens(usage) === 0 ? 'none' : reported === 'all' ? 'prompt' : reported;
}

const CUT_BY_US: ReadonlySet<Ending> = new Set(['caller_left', 'caller_slow', 'drained', 'key_cut']);

export function consumption(call: Admitted, ending: Ending): { usage: Usage; source: UsageSource } {
  const { meter, peek, target } = call;
  const nothing = { usage: NO_USAGE, source: 'none' } as const;
  if (meter === null || !call.sent) return nothing;
  // If a provider failed before its answer began, nothing is charged; if the caller left, the provider has done the work.
  if (!call.answered && !CUT_BY_US.has(ending)) return nothing;
  // If the gateway dies before any of the answer was delivered, nothing is owed.
  if (ending === 'gateway_crashed' && meter.delivered().outputBytes === 0) return nothing;
  const whole = ending === 'complete' || ending === 'empty' || isCompleteReport(meter, ending);
  const usage = meter.usage();
  const counted = countedParts(meter);
  if (usage !== null && whole && counted === 'all') return { usage, source: 'reported' };
  const estimated = countUsage(peek, meter.delivered(), target);
  if (usage === null || counted === 'none') return { usage: estimated, source: 'estimated' };
  const hasPrompt = counted !== 'output';
  const hasOutput = whole && counted !== 'prompt';
  // The cached tokens are known even if the rest of the prompt is not.
  const inputTokens = hasPrompt
    ? usage.inputTokens
    : Math.max(0, estimated.inputTokens - (promptTokens(usage) - usage.inputTokens));
  return {
    usage: {
      ...usage,
      // Of an answer that was cut off more may be owed than was reported.
      units: whole ? usage.units : Math.max(usage.units, estimated.units),
      inputTokens,
      inputImageTokens: hasPrompt ? usage.inputImageTokens : Math.min(inputTokens, estimated.inputImageTokens),
      // The early usage of a cut-off answer covers the prompt; its output is counted here.
      outputTokens: hasOutput
        ? usage.outputTokens
        : (meter.delivered().outputTokens ?? Math.max(usage.outputTokens, estimated.outputTokens)),
    },
    source: 'estimated',
  };
}
