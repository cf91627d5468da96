/**
 * The only way out of an admitted call: `finish`, called from every exit. The first caller wins;
 * the others get the same promise. It decides what was consumed and what that costs.
 */
import type { Bank } from '../../billing/bank.ts';
import { sharesOf } from '../../billing/charge.ts';
import { costOf } from '../../billing/cost.ts';
import { countUsage } from '../../billing/estimate.ts';
import { assert } from '../../core/assert.ts';
import { bytesOf, type WholeBody } from '../../core/body.ts';
import type { Clock } from '../../core/clock.ts';
import { type Money, NO_MONEY, roundUpToNano } from '../../core/money.ts';
import type { Ending, Settlement } from '../../core/settlement.ts';
import {
  completionTokens,
  NO_USAGE,
  promptTokens,
  type ReportedParts,
  type Usage,
  type UsageSource,
} from '../../core/usage.ts';
import type { Meter } from '../../dialects/interface/meter.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { staysTaken } from '../admission/replay.ts';
import type { Call } from '../call.ts';

export interface SettlePorts {
  readonly clock: Clock;
  readonly bank: Pick<Bank, 'finish' | 'persistHold' | 'checkpoint'>;
  readonly metrics: Pick<Metrics, 'alert'>;
}

/** `answer` is what the caller is given where that is whole. Resolves when the terminal entry is durable. Rejects with the disk's refusal; the caller must then not see a clean end. */
export function finish(ports: SettlePorts, call: Call, ending: Ending, answer: WholeBody | null = null): Promise<void> {
  if (call.settled !== null) return call.settled;
  assert(call.hold !== null, 'only an admitted call is finished');
  call.ending = ending;
  call.settlement = settlementOf(call, ending);
  if (call.meter !== null && (call.meter.usageInvalid() || !isPlausible(call.meter.usage())))
    ports.metrics.alert('usage_invalid');
  if (call.settlement.variance > 0n) ports.metrics.alert('cost_above_hold');
  call.settled = call.replay === null ? ports.bank.finish(call.hold, call.settlement) : finishKept(ports, call, answer);
  return call.settled;
}

/**
 * Makes the hold durable of a call whose answer is to be given piece by piece: no byte of it goes out before. Null
 * when there is nothing to wait for.
 */
export function persistHold(ports: SettlePorts, call: Call): Promise<void> | null {
  assert(call.hold !== null, 'only an admitted call has a hold');
  return ports.bank.persistHold(call.hold, settlementOf(call, 'gateway_crashed'));
}

/** Notes what was delivered so far, which is what is charged should the process die. */
export function checkpoint(ports: SettlePorts, call: Call): void {
  assert(call.hold !== null, 'only an admitted call has checkpoints');
  ports.bank.checkpoint(call.hold, settlementOf(call, 'gateway_crashed'));
}

/** With the answer that is kept for who sends the request again, in the transaction that charges for it. */
async function finishKept(ports: SettlePorts, call: Call, answer: WholeBody | null): Promise<void> {
  const { hold, replay, settlement } = call;
  assert(hold !== null && replay !== null && settlement !== null, 'what is kept is of an admitted call');
  const bytes = answer === null ? null : bytesOf(answer);
  const row = staysTaken(call, settlement.ending) ? replay.rowFor(bytes, ports.clock.now()) : null;
  await ports.bank.finish(hold, settlement, row);
  replay.done(row);
}

/** The disk took no terminal entry: nothing was charged, so nothing may say later that it was. */
export function unsettle(ports: SettlePorts, call: Call): void {
  call.ending = 'gateway_failed';
  call.settlement = null;
  ports.metrics.alert('settle_failed');
}

/** The price of a usage at the call's pinned prices; null when the model has none. */
export function costAt(call: Call, usage: Usage): Money | null {
  const prices = call.target?.prices ?? null;
  return prices === null ? null : roundUpToNano(costOf(usage, prices));
}

function settlementOf(call: Call, ending: Ending): Settlement {
  const { hold, key, model, target } = call;
  assert(
    hold !== null && key !== null && model !== null && target !== null,
    'an admitted call has a hold, a key, a model and a target',
  );
  const { usage, source } = consumption(call, ending);
  // Where nothing was consumed there is no fee for the request either.
  const cost = source === 'none' && target.prices !== null ? NO_MONEY : costAt(call, usage);
  const { charge, fault, variance } = sharesOf(ending, cost, hold.amount);
  return {
    callId: call.id,
    admittedAt: call.admittedAt,
    accountId: key.accountId,
    projectId: key.projectId,
    keyId: key.id,
    operation: call.operation.name,
    model: model.id,
    provider: target.provider,
    usage,
    usageSource: source,
    priceVersion: target.priceVersion,
    cost,
    hold: hold.recorded,
    charge,
    fault,
    variance,
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

/** An answer that came to its end and could not be given: what the provider reported is of all of it. */
function isLastWord({ state }: Meter, ending: Ending): boolean {
  return ending === 'upstream_failed' && (state === 'finished' || state === 'empty');
}

/**
 * Which parts of the meter's usage are the provider's own count. Who reports no output, and yet delivers, has not counted
 * it; and where all is zero, nothing.
 */
export function countedParts(meter: Meter): ReportedParts {
  const usage = meter.usage();
  if (usage === null || !isPlausible(usage)) return 'none';
  const reported = meter.reported();
  if (completionTokens(usage) > 0 || meter.delivered().outputBytes === 0) return reported;
  return reported === 'output' || promptTokens(usage) === 0 ? 'none' : reported === 'all' ? 'prompt' : reported;
}

const CUT_BY_US: ReadonlySet<Ending> = new Set(['caller_left', 'caller_slow', 'drained', 'key_cut']);

function consumption(call: Call, ending: Ending): { usage: Usage; source: UsageSource } {
  const { meter, peek, target } = call;
  const nothing = { usage: NO_USAGE, source: 'none' } as const;
  if (meter === null || peek === null || target === null || !call.sent) return nothing;
  // Who failed before an answer began has read nothing that anybody pays for; a caller that left has been worked for.
  if (!call.answered && !CUT_BY_US.has(ending)) return nothing;
  // Of an answer that nobody saw a word of, nothing is owed when the gateway dies.
  if (ending === 'gateway_crashed' && meter.delivered().outputBytes === 0) return nothing;
  const whole = ending === 'complete' || ending === 'empty' || isLastWord(meter, ending);
  const usage = meter.usage();
  const counted = countedParts(meter);
  if (usage !== null && whole && counted === 'all') return { usage, source: 'reported' };
  const estimated = countUsage(peek, meter.delivered(), target);
  if (usage === null || counted === 'none') return { usage: estimated, source: 'estimated' };
  const hasPrompt = counted !== 'output';
  const hasOutput = whole && counted !== 'prompt';
  return {
    usage: {
      ...usage,
      // What was cached is known even where the rest of the prompt is not.
      inputTokens: hasPrompt
        ? usage.inputTokens
        : Math.max(0, estimated.inputTokens - (promptTokens(usage) - usage.inputTokens)),
      // A cut answer's early usage figures speak of the prompt; what came out is counted here.
      outputTokens: hasOutput
        ? usage.outputTokens
        : (meter.delivered().outputTokens ?? Math.max(usage.outputTokens, estimated.outputTokens)),
    },
    source: 'estimated',
  };
}
