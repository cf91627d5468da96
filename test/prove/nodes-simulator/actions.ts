/** What happens in a simulation of nodes. */
import type { HoldRequest } from '../../../src/billing/bank.ts';
import type { Bound } from '../../../src/billing/bound.ts';
import type { NewEntry } from '../../../src/billing/entry.ts';
import { refusalError } from '../../../src/billing/refusal.ts';
import type { Budgets } from '../../../src/core/budget.ts';
import { accountId, callIdFromBytes, keyId, projectId } from '../../../src/core/ids.ts';
import { type Money, NO_MONEY, nanoUsd, picoUsd } from '../../../src/core/money.ts';
import type { Random } from '../simulator/random.ts';
import { promise } from '../simulator/violation.ts';
import { Unreachable } from './network.ts';
import { SimulatedCall } from './simulated-call.ts';
import type { SimulatedMachine } from './simulated-machine.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { ACCOUNTS, accountOfProject, KEYS, PROJECTS, projectOfKey, type World } from './world.ts';

const CENT = 10_000_000;

export function call(world: World): void {
  const process = serving(world);
  if (process === null) return;
  begin(world, process, randomRequest(world, process.machine, process.synced.now()));
}

/** Many at once, at all nodes, for one account. */
export function callMany(world: World): void {
  const { random } = world;
  const cost = random.between(CENT / 10, 10 * CENT);
  const key = random.between(1, KEYS);
  for (let count = random.between(20, 120); count > 0; count -= 1) {
    const process = serving(world);
    if (process === null) return;
    const request = randomRequest(world, process.machine, process.synced.now(), key);
    begin(world, process, { ...request, bound: fixedBound(cost) });
  }
}

export function finish(world: World): void {
  const open = openCalls(world);
  if (open.length > 0) end(world, world.random.pick(open));
}

/** As when many answers end in one turn. */
export function finishMany(world: World): void {
  for (const open of openCalls(world)) if (world.random.chance(0.5)) end(world, open);
}

/** Another target of the call costs more. */
export function raise(world: World): void {
  const { random } = world;
  const open = openCalls(world);
  if (open.length === 0) return;
  const running = random.pick(open);
  const { process, hold, request } = running;
  const before = hold.amount;
  const amount = Number(before) + random.between(1, 5 * CENT);
  running.isBusy = true;
  Promise.resolve(process.bank.raise(hold, { ...request, bound: fixedBound(amount) }))
    .then((isRaised) => {
      running.isBusy = false;
      if (hold.outputCap === null)
        promise(hold.amount === (isRaised ? BigInt(amount) : before), () => `${request.callId} has ${hold.amount}`);
      world.saw(isRaised ? 'hold raised' : 'hold not raised');
    })
    .catch((error: unknown) => world.fail(error));
}

export function topUp(world: World): void {
  const amount = nanoUsd(BigInt(world.random.between(1, 200 * CENT)));
  post(world, { kind: 'topup', amount });
}

export function adjust(world: World): void {
  post(world, { kind: 'adjustment', amount: nanoUsd(BigInt(world.random.between(-150 * CENT, 20 * CENT))) });
}

export function refund(world: World): void {
  const settled = [...world.bank.state.settled.values()].slice(-50);
  if (settled.length === 0) return;
  const { settlement } = world.random.pick(settled);
  const amount = nanoUsd((settlement.charge * BigInt(world.random.between(1, 120))) / 100n);
  post(world, { kind: 'refund', amount, callId: settlement.callId, accountId: settlement.accountId });
}

export function changeBudget(world: World): void {
  const { random } = world;
  const owners = [...world.budgets].flatMap(([owner, budgets]) => (budgets === undefined ? [] : [owner]));
  if (owners.length === 0) return;
  world.setBudgets(random.pick(owners), random.chance(0.1) ? undefined : randomBudgets(random));
}

export function revoke(world: World): void {
  if (world.revoked.size < KEYS - 2) world.revoked.add(world.random.between(1, KEYS));
}

export function kill(world: World): void {
  world.random.pick(world.machines).kill();
}

export function killWithDisk(world: World): void {
  world.random.pick(world.machines).loseDisk();
}

export function restart(world: World): void {
  for (const machine of world.machines) if (world.random.chance(0.7)) machine.start();
}

/** In order: its calls end, its journal is forwarded, its leases return. */
export function stop(world: World): void {
  const machine = world.random.pick(world.machines);
  const { process } = machine;
  if (process?.session == null || process.clock.isPaused) return;
  for (const running of machine.calls) if (!running.isBusy) end(world, running);
  process
    .end()
    .then(() => {
      if (machine.process !== process) return;
      world.saw('stopped in order');
      machine.kill();
    })
    .catch((error: unknown) => world.fail(error));
}

export function partition(world: World): void {
  const { process } = world.random.pick(world.machines);
  if (process !== null) process.network.isCut = true;
}

export function cutOffBank(world: World): void {
  for (const { process } of world.machines) if (process !== null) process.network.isCut = true;
}

export function heal(world: World): void {
  for (const { process } of world.machines) if (process !== null) process.network.isCut = false;
}

export function pause(world: World): void {
  world.random.pick(world.machines).process?.clock.pause();
}

export function goOn(world: World): void {
  for (const { process } of world.machines) process?.clock.goOn();
}

export function failOver(world: World): void {
  world.failOver();
}

export function end(world: World, running: SimulatedCall): void {
  const { process, hold, request } = running;
  const { machine, clock } = process;
  if (clock.isPaused || process.isDead) return;
  machine.calls = machine.calls.filter((other) => other !== running);
  const { random } = world;
  const charge = running.isCut
    ? NO_MONEY
    : nanoUsd((hold.amount * BigInt(random.chance(0.2) ? 100 : random.between(0, 100))) / 100n);
  process.bank
    .finish(hold, running.settlement(charge, running.isCut ? 'key_cut' : 'complete'))
    .then(() => {
      world.complete.add(request.callId);
      world.calls += 1;
    })
    .catch((error: unknown) => world.fail(error));
}

/** Asks the bank of a node for a hold. */
export function begin(world: World, process: SimulatedProcess, request: HoldRequest): Promise<SimulatedCall | null> {
  return Promise.resolve(process.bank.hold(request))
    .then(async (answer) => {
      if (process.isDead) return null;
      if (answer.refused !== null) {
        const error = refusalError(answer, world.clock.now(), 'ask for fewer tokens', request.accountId);
        world.saw(`refused ${error.code}`);
        return null;
      }
      const running = new SimulatedCall(process, request, answer);
      checkPlace(world, running);
      if (answer.outputCap !== null) world.saw('cap lowered');
      process.machine.calls.push(running);
      if (world.random.chance(0.5))
        await process.bank.persistHold(answer, running.settlement(nanoUsd(answer.amount / 2n), 'gateway_crashed'));
      return running;
    })
    .catch((error: unknown) => {
      world.fail(error);
      return null;
    });
}

/** A node that was declared lost admits nothing that is limited by what it was lent. */
function checkPlace(world: World, { process, hold, lease }: SimulatedCall): void {
  const { machine } = process;
  if (machine.closedOn !== world.timeline || hold.amount === 0n) return;
  const node = [...world.bank.state.nodes.values()].find(({ id }) => id === machine.id);
  const isKnown = node !== undefined && (node.state === 'live' || node.state === 'draining');
  promise(
    isKnown && lease.epoch >= (node.carriedEpoch ?? node.epoch),
    () => `${machine.id} is lost, and admits a call`,
  );
}

function post(world: World, changes: Partial<NewEntry>): void {
  const process = serving(world);
  if (process === null) return;
  world.references += 1;
  const entry: NewEntry = {
    accountId: accountId(world.random.between(1, ACCOUNTS)),
    kind: 'topup',
    amount: NO_MONEY,
    reference: `entry ${world.references}`,
    callId: null,
    note: null,
    at: world.clock.now(),
    ...changes,
  };
  process.bank.post(entry).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) world.fail(error);
  });
}

function serving(world: World): SimulatedProcess | null {
  const able = world.machines.flatMap(({ process }) =>
    process?.session == null || process.clock.isPaused || process.isEnding ? [] : [process],
  );
  return able.length === 0 ? null : world.random.pick(able);
}

function openCalls(world: World): readonly SimulatedCall[] {
  return world.machines.flatMap(({ calls, process }) =>
    process === null || process.clock.isPaused ? [] : calls.filter(({ isBusy }) => !isBusy),
  );
}

function randomRequest(
  world: World,
  { budgets, revoked }: SimulatedMachine,
  nowMs: number,
  wanted: number | null = null,
): HoldRequest {
  const { random } = world;
  const good = Array.from({ length: KEYS }, (_, index) => index + 1).filter((key) => !revoked.has(key));
  const key = wanted ?? random.pick(good);
  const project = projectOfKey(key);
  const account = accountOfProject(project);
  return {
    callId: randomCallId(random, nowMs),
    admittedAt: nowMs,
    accountId: accountId(account),
    projectId: projectId(project),
    keyId: keyId(key),
    keyBudgets: budgets.get(`key ${key}`),
    projectBudgets: budgets.get(`project ${project}`),
    accountBudgets: budgets.get(`account ${account}`),
    bound: randomBound(random),
  };
}

function randomCallId(random: Random, nowMs: number) {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt32BE(random.between(0, 2 ** 32 - 1), 6);
  bytes.writeUInt32BE(random.between(0, 2 ** 32 - 1), 10);
  return callIdFromBytes(bytes);
}

function randomBound(random: Random): Bound | null {
  if (random.chance(0.03)) return null;
  if (random.chance(0.6)) return fixedBound(random.between(1, random.pick([CENT / 10, CENT, 20 * CENT])));
  const outputCap = random.between(100, 8_000);
  const perOutputToken = picoUsd(BigInt(random.between(0, 60_000_000)));
  return { fixed: picoUsd(BigInt(random.between(0, CENT)) * 1_000n), perOutputToken, outputCap, mayLower: true };
}

function fixedBound(nano: number): Bound {
  return { fixed: picoUsd(BigInt(nano) * 1_000n), perOutputToken: picoUsd(0n), outputCap: 100, mayLower: false };
}

export function randomBudgets(random: Random): Budgets {
  const amount = (most: number): Money => nanoUsd(BigInt(random.between(0, most * CENT)));
  return {
    ...(random.chance(0.6) && { day: amount(60) }),
    ...(random.chance(0.3) && { week: amount(120) }),
    ...(random.chance(0.3) && { month: amount(200) }),
    ...(random.chance(0.3) && { total: amount(300) }),
  };
}

export function furnish(world: World): void {
  const { random } = world;
  const owners = [
    ...Array.from({ length: KEYS }, (_, index) => `key ${index + 1}`),
    ...Array.from({ length: PROJECTS }, (_, index) => `project ${index + 1}`),
    ...Array.from({ length: ACCOUNTS }, (_, index) => `account ${index + 1}`),
  ];
  for (const owner of owners) world.setBudgets(owner, random.chance(0.35) ? randomBudgets(random) : undefined);
}
