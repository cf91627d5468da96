/**
 * The only way out of an admitted call: `finish`, called from every exit. The first call wins; later ones get the same
 * promise. Consumption is computed in `consumption.ts`.
 */
import type { Bank } from '../../billing/bank.ts';
import { isCharged, sharesOf } from '../../billing/charge.ts';
import { bytesOf, type WholeBody } from '../../core/body.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { type Money, NO_MONEY } from '../../core/money.ts';
import { LIST_RATE } from '../../core/rates/rate.ts';
import { CIPHER_TURN_BYTES } from '../../core/sealing/cipher-in-turns.ts';
import type { Ending, Settlement } from '../../core/settlement.ts';
import { NO_USAGE } from '../../core/usage.ts';
import type { ReplayRow } from '../../replay/ports.ts';
import type { ReplayTicket } from '../../replay/replay-ticket.ts';
import type { KeptAnswer } from '../../response-cache/kept-answer.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { rateOf } from '../admission/hold-request.ts';
import { staysTaken } from '../admission/replay.ts';
import type { Admitted } from '../phases.ts';
import { storedRows } from '../stored/stored-rows.ts';
import { consumption, costAt, isPlausible } from './consumption.ts';
import { describeError } from './describe-error.ts';

export interface SettlePorts {
  readonly clock: Clock;
  readonly bank: Pick<Bank, 'finish' | 'persistHold' | 'checkpoint'>;
  readonly log: Pick<Log, 'error'>;
  readonly metrics: Pick<Metrics, 'alert'>;
}

/**
 * `answer` is the caller's answer if it is whole. Resolves when the settlement is durable. Rejects if the disk refuses it;
 * the caller must then not see a clean end. Never throws: if the settlement cannot be computed, the hold is released without a charge,
 * and it rejects.
 */
export function finish(
  ports: SettlePorts,
  call: Admitted,
  ending: Ending,
  answer: WholeBody | null = null,
): Promise<void> {
  if (call.settled !== null) return call.settled;
  call.ending = ending;
  try {
    call.settled = settle(ports, call, ending, answer);
  } catch (error) {
    call.settled = settleUncharged(ports, call, error);
  }
  return call.settled;
}

function settle(ports: SettlePorts, call: Admitted, asked: Ending, answer: WholeBody | null): Promise<void> {
  const ending = endingOf(call, asked);
  call.ending = ending;
  const settlement = settlementOf(call, ending);
  // What a member's own server says is its owner's to judge.
  const isOperators = !settlement.ownCredential;
  if (isOperators && call.meter !== null && (call.meter.usageInvalid() || !isPlausible(call.meter.usage())))
    ports.metrics.alert('usage_invalid');
  if (settlement.variance > 0n) ports.metrics.alert('cost_above_hold');
  const stored = rowsToStore(ports, call);
  const { replay } = call;
  const row = replay === null ? null : rowToReplay(ports, call, replay, settlement, answer);
  call.settlement = settlement;
  const write = (sealed: ReplayRow | null) => {
    const settled = ports.bank.finish(call.hold, settlement, sealed, stored);
    return replay === null ? settled : settled.then(() => replay.done(sealed));
  };
  return row instanceof Promise ? settleSealed(ports, call, row, write) : write(row);
}

/** The answer of a line may be large. If it cannot be sealed, nothing is charged. */
async function settleSealed(
  ports: SettlePorts,
  call: Admitted,
  row: Promise<ReplayRow | null>,
  write: (row: ReplayRow | null) => Promise<void>,
): Promise<void> {
  let settled: Promise<void>;
  try {
    settled = write(await row);
  } catch (error) {
    return settleUncharged(ports, call, error);
  }
  return settled;
}

/**
 * A line of a batch is charged with an answer that is stored, or not at all: what was cut off, as by a shutdown, may run again. The operator bears
 * what it has cost.
 */
function endingOf({ line }: Admitted, asked: Ending): Ending {
  return line !== null && asked !== 'complete' && isCharged(asked) ? 'gateway_failed' : asked;
}

/**
 * The gateway itself failed: nothing is charged, so that the hold does not stay. Always rejects, because the caller is owed an error:
 * `GatewayError` `internal_error`, unless the disk refuses this settlement, too.
 */
async function settleUncharged(ports: SettlePorts, call: Admitted, cause: unknown): Promise<void> {
  ports.log.error({ request: call.requestId, cause: describeError(cause) }, 'a call could not be settled');
  const settlement = unchargedSettlement(call);
  await ports.bank.finish(call.hold, settlement);
  call.ending = settlement.ending;
  call.settlement = settlement;
  throw new GatewayError('internal_error', { cause });
}

/** What the caller gets if `finish` has rejected: mostly, the disk has refused the settlement. */
export function settleFailure(cause: unknown): GatewayError {
  return cause instanceof GatewayError ? cause : new GatewayError('ledger_unavailable', { cause });
}

/**
 * Makes the hold of a streamed call durable; no byte of its answer is sent before. Null when there is nothing to wait for.
 */
export function persistHold(ports: SettlePorts, call: Admitted): Promise<void> | null {
  return ports.bank.persistHold(call.hold, settlementOf(call, 'gateway_crashed'));
}

/** Records what was delivered so far, which is charged if the process dies. */
export function checkpoint(ports: SettlePorts, call: Admitted): void {
  ports.bank.checkpoint(call.hold, settlementOf(call, 'gateway_crashed'));
}

/** The answer that is stored for retries, in the transaction that charges for it. */
function rowToReplay(
  ports: SettlePorts,
  call: Admitted,
  replay: ReplayTicket,
  settlement: Settlement,
  answer: WholeBody | null,
): ReplayRow | null | Promise<ReplayRow | null> {
  const bytes = answer === null ? null : bytesOf(answer);
  if (!staysTaken(call, settlement.ending)) return null;
  const nowMs = ports.clock.now();
  if (bytes === null || bytes.length <= CIPHER_TURN_BYTES || call.line === null) return replay.rowFor(bytes, nowMs);
  return replay.rowInTurns(bytes, nowMs);
}

/** Only a provider that was asked can have stored anything. */
function rowsToStore({ clock }: SettlePorts, call: Admitted) {
  return call.meter === null ? null : storedRows(clock, call);
}

/** `finish` has rejected. If nothing was settled, nothing may later show a charge; a settlement without a charge has its record. */
export function unsettle(ports: SettlePorts, call: Admitted, cause: unknown): void {
  if (cause instanceof GatewayError) return;
  call.ending = 'gateway_failed';
  call.settlement = null;
  ports.metrics.alert('settle_failed');
}

function settlementOf(call: Admitted, ending: Ending): Settlement {
  const kept = call.caching?.answer ?? null;
  if (kept !== null) return cachedSettlement(call, kept, ending);
  const { candidate, hold, key, model, rates, target } = call;
  const { usage, source } = consumption(call, ending);
  // If nothing was consumed, there is no fee per request either.
  const cost = source === 'none' && target.prices !== null ? NO_MONEY : costAt(call, usage);
  const rate = rateOf(candidate, rates);
  const ownCredential = candidate.own !== null;
  const { charge, fault, variance } = sharesOf({ ending, cost, rate, ownCredential }, hold.amount);
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
    rate,
    ownCredential,
    cost,
    hold: hold.recorded,
    charge,
    fault: (fault + call.lost) as Money,
    variance,
    nodeLoss: NO_MONEY,
    saved: NO_MONEY,
    ending,
  };
}

/** Nothing was consumed. A failure, before the answer is sent, saves nothing either. */
function cachedSettlement(call: Admitted, { charge }: KeptAnswer, ending: Ending): Settlement {
  const saved = ending === 'complete' ? charge : NO_MONEY;
  return { ...unchargedSettlement(call), usageSource: 'cache', saved, ending };
}

function unchargedSettlement(call: Admitted): Settlement {
  const { hold, key } = call;
  return {
    callId: call.id,
    admittedAt: call.admittedAt,
    accountId: key.accountId,
    projectId: key.projectId,
    keyId: key.id,
    operation: call.operation.name,
    ...answererOf(call),
    usage: NO_USAGE,
    usageSource: 'none',
    rate: LIST_RATE,
    ownCredential: false,
    cost: NO_MONEY,
    hold: hold.recorded,
    charge: NO_MONEY,
    fault: NO_MONEY,
    variance: NO_MONEY,
    nodeLoss: NO_MONEY,
    saved: NO_MONEY,
    ending: 'gateway_failed',
  };
}

/** A call that is answered from the cache has no target. */
function answererOf(call: Admitted): Pick<Settlement, 'model' | 'provider' | 'priceVersion'> {
  const kept = call.caching?.answer ?? null;
  if (kept !== null) return { model: kept.model, provider: kept.provider, priceVersion: kept.priceVersion };
  const { model, target } = call;
  return { model: model.id, provider: target.provider, priceVersion: target.priceVersion };
}
