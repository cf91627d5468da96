/**
 * The only way out of an admitted call: `finish`, called from every exit. The first caller wins;
 * the others get the same promise. It decides what was consumed and what that costs.
 */
import { chargeFor } from '../billing/charge.ts';
import { costOf } from '../billing/cost.ts';
import { estimateUsage } from '../billing/estimate.ts';
import { assert } from '../core/assert.ts';
import { type Money, roundUpToNano } from '../core/money.ts';
import type { Ending, Settlement } from '../core/settlement.ts';
import { NO_USAGE, type Usage, type UsageSource } from '../core/usage.ts';
import type { Call } from './call.ts';
import type { Gateway } from './gateway.ts';

/** Resolves when the terminal entry is durable. Rejects with the disk's refusal; the caller must then not see a clean end. */
export function finish(gateway: Gateway, call: Call, ending: Ending): Promise<void> {
  if (call.settled !== null) return call.settled;
  assert(call.admitted, 'only an admitted call is finished');
  call.ending = ending;
  call.settlement = settlementOf(call, ending);
  if (call.meter !== null && (call.meter.usageInvalid() || !isPlausible(call.meter.usage())))
    gateway.metrics.alert('usage_invalid');
  call.settled = gateway.bank.finish(call.settlement);
  return call.settled;
}

/** The disk took no terminal entry: nothing was charged, so nothing may say later that it was. */
export function unsettle(gateway: Gateway, call: Call): void {
  call.ending = 'gateway_failed';
  call.settlement = null;
  gateway.metrics.alert('settle_failed');
}

/** The price of a usage at the call's pinned prices; null when the model has none. */
export function costAt(call: Call, usage: Usage): Money | null {
  const prices = call.target?.prices ?? null;
  return prices === null ? null : roundUpToNano(costOf(usage, prices));
}

function settlementOf(call: Call, ending: Ending): Settlement {
  const { key, model, target } = call;
  assert(key !== null && model !== null && target !== null, 'an admitted call has a key, a model and a target');
  const { usage, source } = consumption(call, ending);
  const cost = costAt(call, usage);
  return {
    callId: call.id,
    admittedAt: call.admittedAt,
    accountId: key.accountId,
    projectId: key.projectId,
    keyId: key.id,
    operation: call.operation,
    model: model.id,
    provider: target.provider,
    usage,
    usageSource: source,
    priceVersion: target.priceVersion,
    cost,
    charge: chargeFor(ending, cost),
    ending,
  };
}

/** No model takes or gives as many units in a call; a larger count is none, and would not fit the ledger's integers. */
const UNITS_MAX = 1_000_000_000;

function isPlausible(usage: Usage | null): boolean {
  if (usage === null) return true;
  return (
    usage.inputTokens <= UNITS_MAX &&
    usage.cacheReadTokens <= UNITS_MAX &&
    usage.cacheWriteTokens <= UNITS_MAX &&
    usage.cacheWrite1hTokens <= UNITS_MAX &&
    usage.inputAudioTokens <= UNITS_MAX &&
    usage.outputTokens <= UNITS_MAX &&
    usage.outputAudioTokens <= UNITS_MAX &&
    usage.reasoningTokens <= UNITS_MAX &&
    usage.webSearches <= UNITS_MAX
  );
}

const CUT_BY_US: ReadonlySet<Ending> = new Set(['caller_left', 'caller_slow', 'drained']);

function consumption(call: Call, ending: Ending): { usage: Usage; source: UsageSource } {
  const { meter, peek } = call;
  const nothing = { usage: NO_USAGE, source: 'none' } as const;
  if (meter === null || peek === null || !call.sent) return nothing;
  // Who failed before an answer began has read nothing that anybody pays for; a caller that left has been worked for.
  if (!call.answered && !CUT_BY_US.has(ending)) return nothing;
  const whole = ending === 'complete' || ending === 'empty';
  const usage = meter.usage();
  const reported = isPlausible(usage) ? usage : null;
  if (reported !== null && whole) return { usage: reported, source: 'reported' };
  // A cut answer's early usage figures speak of the prompt; what came out is counted here.
  const estimated = estimateUsage(peek.bodyBytes, meter.delivered().outputBytes);
  if (reported === null) return { usage: estimated, source: 'estimated' };
  const outputTokens = Math.max(reported.outputTokens, estimated.outputTokens);
  return { usage: { ...reported, outputTokens }, source: 'estimated' };
}
