/** What calls do in the simulation: they begin, alone or many at once, advance a step, and end in every way. */
import type { HoldRequest } from '../../../src/billing/bank.ts';
import { amountAt, type Bound, type BoundRequest, boundOf } from '../../../src/billing/bound.ts';
import { refusalError } from '../../../src/billing/refusal.ts';
import type { Target } from '../../../src/catalog/model.ts';
import { BUDGET_WINDOWS } from '../../../src/core/budget.ts';
import { type CallId, callIdFromBytes } from '../../../src/core/ids.ts';
import { nanoUsd } from '../../../src/core/money.ts';
import { LIST_RATE, type Rate } from '../../../src/core/rates/rate.ts';
import type { Ending, Settlement } from '../../../src/core/settlement.ts';
import { NO_USAGE } from '../../../src/core/usage.ts';
import { heldByOwner } from './check-node.ts';
import type { SimulatedKey, SimulatedNode } from './node.ts';
import type { Random } from './random.ts';
import { SimulatedCall } from './simulated-call.ts';
import { DiskRefusal } from './unsure-disk.ts';
import { excessiveUsage, honestUsage, randomRequest } from './upstream.ts';
import { promise, same, Violation } from './violation.ts';

/** No more callers than these at once, unless many begin together. */
const RUNNING_MAX = 40;

export function beginCall(node: SimulatedNode, random: Random): void {
  const keys = node.keys.filter((key) => !key.isRevoked);
  if (keys.length === 0 || node.running.length > RUNNING_MAX) return;
  begin(node, random, keys);
}

export function beginMany(node: SimulatedNode, random: Random): void {
  const keys = [random.pick(node.keys)].filter((key) => !key.isRevoked);
  if (keys.length === 0) return;
  for (let count = random.between(3, 30); count > 0; count -= 1) begin(node, random, keys);
}

/** An equal request was answered before: nothing is held, not even of an account without money, and nothing charged. */
export function answerFromCache(node: SimulatedNode, random: Random): void {
  const keys = node.keys.filter((key) => !key.isRevoked);
  const answered = [...node.books.settled.values()].slice(-50).filter(({ ending }) => ending === 'complete');
  if (keys.length === 0 || answered.length === 0) return;
  const { model, provider, charge } = random.pick(answered);
  const key = random.pick(keys);
  const account = node.accountOf(key);
  const request = requestOf(node, key, node.clock.now(), null, random);
  const isWritable = node.disk.isWritable();
  if (isWritable) node.askedAfter = node.disk.refusals;
  const hold = node.bank.hold(request);
  if (hold.refused !== null)
    return promise(
      !isWritable && hold.refused === 'ledger_unavailable',
      () => `a kept answer was refused to account ${account}: ${hold.refused}`,
    );
  same<bigint>(hold.amount, 0n, () => `what the kept answer ${request.callId} holds`);
  node.admitted(request, hold);
  const target = { ...(node.models[0] as SimulatedNode['models'][number]).target, provider, prices: null };
  const rates = node.ratesOf(account);
  const asked = randomRequest(random);
  const call = new SimulatedCall({
    ...{ hold, request, asked, target: { ...target, priceVersion: null }, model, rates },
    ...{ ownCredential: false, keyId: key.id, isStreamed: false },
  });
  node.running.push(call);
  const settlement = call.settlement('complete', NO_USAGE, 'cache');
  end(node, call, 'complete', {
    ...settlement,
    ...{ rate: LIST_RATE, cost: nanoUsd(0n), charge: nanoUsd(0n), saved: nanoUsd(charge) },
  });
}

function begin(node: SimulatedNode, random: Random, keys: SimulatedNode['keys']): void {
  const key = random.pick(keys);
  const { name, target } = random.pick(node.models);
  const asked = randomRequest(random);
  const rates = node.ratesOf(node.accountOf(key));
  const ownCredential = random.chance(0.15);
  const bound = limitedBound(node, asked, target, rates.rateOf(name, ownCredential));
  // A long body that arrives slowly: the head was read a moment before.
  const admittedAt = node.clock.now() - (node.isForwards ? 0 : random.pick([0, 0, 1, 5_000]));
  const request = requestOf(node, key, admittedAt, bound, random);
  const free = freeFor(node, request);
  const isWritable = node.disk.isWritable();
  if (isWritable) node.askedAfter = node.disk.refusals;
  const answer = node.bank.hold(request);
  if (answer.refused !== null) {
    node.saw(`refused ${refusalError(answer, node.clock.now(), 'ask for fewer tokens', request.accountId).code}`);
    if (answer.refused === 'ledger_unavailable')
      return promise(!isWritable, () => 'the disk takes rows, the bank no call');
    const least = bound === null ? 0n : leastOf(bound);
    return promise(
      free !== null && least > free && least > 0n,
      () => `call ${request.callId} was refused (${answer.refused}): it needs ${least}, and ${free} is free`,
    );
  }
  promise(isWritable, () => `call ${request.callId} was admitted while the disk takes nothing`);
  same<bigint>(answer.recorded ?? -1n, node.mode === 'off' ? -1n : answer.amount, () => 'what is recorded of a hold');
  promise(
    answer.amount === 0n || free === null || answer.amount <= free,
    () => `call ${request.callId} holds ${answer.amount}, and ${free} is free`,
  );
  node.admitted(request, answer);
  if (answer.outputCap !== null) node.saw('cap lowered');
  const isStreamed = random.chance(0.6);
  const call = { hold: answer, request, asked, target, model: name, rates, ownCredential, keyId: key.id, isStreamed };
  const simulated = new SimulatedCall(call);
  simulated.ratesVersion = node.ratesVersion;
  node.running.push(simulated);
}

function requestOf(
  node: SimulatedNode,
  key: SimulatedKey,
  admittedAt: number,
  bound: Bound | null,
  random: Random,
): HoldRequest {
  const account = node.accountOf(key);
  return {
    callId: callId(admittedAt, random),
    admittedAt,
    accountId: account as never,
    projectId: key.projectId as never,
    keyId: key.rootId,
    keyBudgets: key.budgets,
    projectBudgets: node.projectBudgets[key.projectId],
    accountBudgets: node.accountBudgets[account],
    bound,
  };
}

function limitedBound(node: SimulatedNode, asked: BoundRequest, target: Target, rate: Rate): Bound | null {
  const bound = boundOf(asked, [target], node.mode, () => rate);
  if (bound === null || bound.unlimitedField === undefined) return bound;
  throw new Violation('a simulated request uses no tool without a limit');
}

/** What balance and budgets leave for a call; null if nothing limits it. */
function freeFor(node: SimulatedNode, request: HoldRequest): bigint | null {
  const { accountId, projectId, keyId, keyBudgets, projectBudgets, accountBudgets } = request;
  const held = heldByOwner(node);
  let free: bigint | null = null;
  if (node.mode === 'prepaid')
    free = node.books.balance(accountId) - (held.get(`account ${accountId}`) ?? 0n) - node.disk.debitsOf(accountId);
  for (const [owner, budgets] of [
    [`key ${keyId}`, keyBudgets],
    [`project ${projectId}`, projectBudgets],
    [`account ${accountId}`, accountBudgets],
  ] as const)
    for (const window of BUDGET_WINDOWS) {
      const budget = budgets?.[window];
      if (budget === undefined) continue;
      // What the bank counted before the clock went back, only the bank knows.
      const spent = node.isComparable
        ? node.windows.charged(owner, window)
        : node.bank.money.read({ scope: owner.split(' ')[0] as 'key', id: Number(owner.split(' ')[1]) }).spent[window];
      const left = budget - spent - (held.get(owner) ?? 0n);
      if (free === null || left < free) free = left;
    }
  return free;
}

const LOWERED_CAP_MIN = 256;

/** The least that a call can be admitted with. */
function leastOf(bound: Bound): bigint {
  const cap = bound.mayLower ? Math.min(bound.outputCap, LOWERED_CAP_MIN) : bound.outputCap;
  return amountAt(bound, cap);
}

/** An answer begins, or advances a piece. */
export function stepCall(node: SimulatedNode, random: Random): void {
  if (node.running.length === 0) return;
  const call = random.pick(node.running);
  if (call.state === 'asked' && call.isStreamed) return secure(node, call);
  // A timer that fires late no longer changes anything.
  if (call.state === 'ending') return node.bank.checkpoint(call.hold, call.crashed());
  if (call.state !== 'answering') return;
  if (random.chance(0.02)) return secure(node, call);
  call.deliveredTokens = Math.min(call.cap, call.deliveredTokens + random.between(1, 400));
  seeFirstByte(node, call);
  if (random.chance(0.4)) node.bank.checkpoint(call.hold, node.crashes(call));
}

/** The target failed before it sent anything, and another one is called: its body may be longer, and it may be more expensive. */
export function moveCall(node: SimulatedNode, random: Random): void {
  const movable = node.running.filter(
    ({ state, deliveredTokens }) => deliveredTokens === 0 && (state === 'asked' || state === 'answering'),
  );
  if (movable.length === 0 || !node.disk.isWritable()) return;
  const call = random.pick(movable);
  const { hold, request } = call;
  const { name, target } = random.pick(node.models);
  const asked = { ...call.asked, bodyBytes: call.asked.bodyBytes * random.between(1, 4) };
  const ownCredential = random.chance(0.15);
  const bound = limitedBound(node, asked, target, call.rates.rateOf(name, ownCredential));
  const free = freeFor(node, request);
  const before = hold.amount;
  const cap = hold.outputCap ?? bound?.outputCap ?? 1_000;
  const needed = bound === null ? 0n : amountAt(bound, cap);
  const isRaised = node.bank.raise(hold, { ...request, bound });
  const { callId } = request;
  const isOfToday = node.open.get(callId)?.day === node.windows.day;
  same<bigint>(hold.recorded ?? -1n, node.mode === 'off' ? -1n : hold.amount, () => `what is recorded of ${callId}`);
  if (!isRaised) {
    node.saw('target left out');
    same<bigint>(hold.amount, before, () => `the hold of ${callId} after it was not raised`);
    return promise(
      !isOfToday || (free !== null && needed - before > free),
      () => `the hold of ${callId} was not raised: ${needed - before} more are needed, and ${free} is free`,
    );
  }
  same<bigint>(hold.amount, needed > before ? needed : before, () => `the hold of ${callId} after it was raised`);
  promise(
    needed <= before || free === null || needed - before <= free,
    () => `the hold of ${callId} was raised by ${needed - before}, and ${free} is free`,
  );
  if (needed > before) node.saw('hold raised');
  call.asked = asked;
  call.target = target;
  call.model = name;
  call.ownCredential = ownCredential;
  call.cap = cap;
  if (call.isStreamed && call.state === 'answering') secure(node, call);
}

function secure(node: SimulatedNode, call: SimulatedCall): void {
  call.state = 'securing';
  const secured = node.bank.persistHold(call.hold, node.crashes(call));
  if (secured === null) {
    call.state = 'answering';
    return;
  }
  const { life } = node;
  secured.then(
    () => {
      if (node.life === life && call.state === 'securing') call.state = 'answering';
    },
    (error: unknown) => {
      if (node.life !== life) return;
      if (!(error instanceof DiskRefusal)) return node.fail(error);
      if (call.state === 'securing')
        end(node, call, 'gateway_failed', call.settlement('gateway_failed', NO_USAGE, 'none'));
    },
  );
}

function seeFirstByte(node: SimulatedNode, call: SimulatedCall): void {
  if (!call.sawFirstByte) node.saw('stream begun');
  call.sawFirstByte = true;
  const { callId } = call.request;
  if (node.mode !== 'off')
    promise(node.books.holds.has(callId), () => `the caller of ${callId} reads an answer whose hold is not durable`);
}

export function endCall(node: SimulatedNode, random: Random): void {
  if (node.running.length === 0) return;
  const call = random.pick(node.running);
  if (call.state === 'ending') return;
  finishAs(node, random, call, random.pick(WAYS));
}

/** Every running call of a revoked key is cut. */
export function cutCalls(node: SimulatedNode, keyId: number): void {
  for (const call of [...node.running])
    if (call.keyId === keyId && call.state !== 'ending') end(node, call, 'key_cut', cutSettlement(call, 'key_cut'));
}

/** A stop in good order: what runs is ended by the gateway. */
export function drainCalls(node: SimulatedNode): void {
  for (const call of [...node.running])
    if (call.state !== 'ending') end(node, call, 'drained', cutSettlement(call, 'drained'));
}

type Way = Exclude<Ending, 'gateway_crashed' | 'key_cut'> | 'unreported' | 'above_hold';

/** Weighted by repetition. */
const WAYS: readonly Way[] = [
  'complete',
  'complete',
  'complete',
  'complete',
  'unreported',
  'above_hold',
  'empty',
  'caller_left',
  'caller_left',
  'caller_slow',
  'upstream_failed',
  'upstream_timeout',
  'refused_upstream',
  'drained',
  'gateway_failed',
];

function finishAs(node: SimulatedNode, random: Random, call: SimulatedCall, way: Way): void {
  switch (way) {
    case 'complete':
    case 'empty': {
      // An answer that arrives piece by piece is complete only after it began.
      if (call.isStreamed && call.state !== 'answering') return;
      const usage = honestUsage(random, call.asked, call.target, call.cap);
      const settlement = call.settlement(way, usage, 'reported');
      same<bigint>(
        settlement.variance,
        0n,
        () => `what call ${call.request.callId} of an honest provider cost above its hold`,
      );
      return end(node, call, way, settlement);
    }
    case 'unreported':
      // Nothing was reported, or something impossible: a negative count, or not a number.
      if (call.isStreamed && call.state !== 'answering') return;
      return end(node, call, 'complete', call.settlement('complete', call.counted(), 'estimated'));
    case 'above_hold':
      if (call.isStreamed && call.state !== 'answering') return;
      return end(
        node,
        call,
        'complete',
        call.settlement('complete', excessiveUsage(random, call.asked, call.target, call.cap), 'reported'),
      );
    case 'caller_left':
    case 'caller_slow':
    case 'drained':
      return end(node, call, way, cutSettlement(call, way));
    case 'upstream_failed':
    case 'upstream_timeout':
    case 'gateway_failed':
      if (call.deliveredTokens > 0) return end(node, call, way, call.settlement(way, call.counted(), 'estimated'));
      return end(node, call, way, call.settlement(way, NO_USAGE, 'none'));
    default:
      if (call.deliveredTokens > 0) return;
      return end(node, call, way, call.settlement(way, NO_USAGE, 'none'));
  }
}

function cutSettlement(call: SimulatedCall, ending: Ending): Settlement {
  return call.settlement(ending, call.counted(), 'estimated');
}

function end(node: SimulatedNode, call: SimulatedCall, ending: Ending, settlement: Settlement): void {
  call.state = 'ending';
  if (settlement.charge > 0n && call.ratesVersion < node.ratesVersion) node.saw('rates replaced under a call');
  const { life } = node;
  const { callId } = call.request;
  node.bank.finish(call.hold, settlement).then(
    () => {
      if (node.life !== life) return;
      leave(node, call);
      if (ending !== 'complete') return;
      call.sawEnd = true;
      if (node.books.settled.get(callId) !== settlement)
        node.fail(new Violation(`the caller of ${callId} has the whole answer, and its settlement is not durable`));
    },
    (error: unknown) => {
      if (node.life !== life) return;
      leave(node, call);
      if (!(error instanceof DiskRefusal)) return node.fail(error);
      node.saw('end refused by the disk');
      node.refusedEnds.add(callId);
      if (node.books.settled.has(callId)) node.fail(new Violation(`the end of ${callId} was refused, and is durable`));
    },
  );
}

function leave(node: SimulatedNode, call: SimulatedCall): void {
  call.state = 'over';
  const index = node.running.indexOf(call);
  if (index !== -1) node.running.splice(index, 1);
}

/** The time, then random bits from the seed, so that a run can be repeated. */
function callId(nowMs: number, random: Random): CallId {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  for (let at = 6; at < 16; at += 2) bytes.writeUInt16BE(random.between(0, 65_535), at);
  return callIdFromBytes(bytes);
}
