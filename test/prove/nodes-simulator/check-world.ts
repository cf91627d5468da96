/** The invariants of many nodes: what must be true after every action, and when everything is quiet. */

import { isOfCharges } from '../../../src/billing/entry.ts';
import { monthOf, weekOf } from '../../../src/core/calendar.ts';
import type { PurseRef } from '../../../src/nodes/ports.ts';
import { promise, same } from '../simulator/violation.ts';
import { ACCOUNTS, type World } from './world.ts';

export function checkWorld(world: World): void {
  if (world.broken !== null) throw world.broken;
  checkAccounts(world);
  checkLeases(world);
  checkBudgets(world);
  checkCalls(world);
}

/**
 * Nobody calls any more, and every node has had time to give back what it does not use. What a node does not know of, because a
 * request arrived long after it was given up, goes back when it is recalled.
 */
export async function checkQuiet(world: World): Promise<void> {
  const { bank, machines } = world;
  for (const [purse, leases] of bank.state.leases)
    for (const [slot, { granted, spent }] of leases) {
      if (granted === spent) continue;
      world.saw('lent by a request that was given up');
      const [kind, id] = purse.split(' ') as [PurseRef['kind'], string];
      for (const { process } of machines)
        if (process?.place?.slot === slot) process.leases.recalled([{ kind, id: Number(id) }]);
    }
  await world.pass(20_000, 250);
  for (const [purse, leases] of bank.state.leases)
    for (const [slot, { granted, spent }] of leases)
      same(granted - spent, 0n, () => `what slot ${slot} has of ${purse}, though nothing is used,`);
}

/** What is free and lent is what was credited less what was charged; nothing is below zero. */
function checkAccounts({ bank }: World): void {
  const { state } = bank;
  const sums = new Map<number, { credited: bigint; charged: bigint }>();
  for (let account = 1; account <= ACCOUNTS; account += 1) sums.set(account, { credited: 0n, charged: 0n });
  for (const { accountId, kind, amount } of state.entries) {
    const sum = sums.get(accountId);
    if (sum === undefined) continue;
    if (isOfCharges(kind)) sum.charged -= amount;
    else sum.credited += amount;
  }
  for (const { settlement, sent } of state.settled.values()) {
    const sum = sums.get(settlement.accountId);
    same(settlement.charge + settlement.nodeLoss, sent.charge, () => `the shares of ${settlement.callId}`);
    promise(settlement.nodeLoss >= 0n && settlement.charge >= 0n, () => `a share of ${settlement.callId} is negative`);
    if (sum !== undefined) sum.charged += settlement.charge;
  }
  for (const [account, { credited, charged }] of sums) {
    const { free } = state.account(account);
    promise(free >= 0n, () => `account ${account} has ${free} free`);
    const lent = state.lent({ kind: 'balance', id: account }, null);
    same(free + lent, credited - charged, () => `what account ${account} has, free and lent,`);
    same(state.charged(account), charged, () => `what account ${account} was charged`);
  }
}

function checkLeases({ bank }: World): void {
  for (const [purse, leases] of bank.state.leases)
    for (const [slot, { granted, spent }] of leases)
      promise(spent >= 0n && spent <= granted, () => `slot ${slot} has ${granted} of ${purse}, and spent ${spent}`);
}

/** No window of a budget has more charges than the largest limit that it had. */
function checkBudgets({ bank, budgets, limits }: World): void {
  for (const owner of budgets.keys()) {
    const days = bank.state.days.get(owner);
    if (days === undefined) continue;
    const windows = new Map<string, bigint>();
    const add = (window: string, charge: bigint) => windows.set(window, (windows.get(window) ?? 0n) + charge);
    for (const [day, { charge }] of days) {
      add(`day ${day}`, charge);
      add(`week ${weekOf(day)}`, charge);
      add(`month ${monthOf(day)}`, charge);
      add('total', charge);
    }
    for (const [window, charge] of windows) {
      const limit = limits.get(`${owner} ${window.split(' ')[0]}`) ?? null;
      if (limit !== null) promise(charge <= limit, () => `${owner} spent ${charge} of ${limit} (${window})`);
    }
  }
}

/** A call whose caller has a complete answer is settled, or will be: it is in a journal, unless the journal's disk was lost. */
function checkCalls({ bank, complete, machines, gone }: World): void {
  const kept = new Set<string>();
  for (const { journal } of machines) for (const call of journal.calls()) kept.add(call);
  for (const call of complete)
    promise(
      bank.state.settled.has(call) || kept.has(call) || gone.has(call),
      () => `call ${call} was answered, and is nowhere`,
    );
}

export function balanceOf(world: World, id: number): bigint {
  const ref: PurseRef = { kind: 'balance', id };
  return world.bank.state.account(id).free + world.bank.state.lent(ref, null);
}
