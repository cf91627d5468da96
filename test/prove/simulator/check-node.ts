/** The invariants: what must be true of a node after every action, and of all its rows now and then. */
import { isDeepStrictEqual } from 'node:util';
import { costOf } from '../../../src/billing/cost.ts';
import type { Scope } from '../../../src/billing/spending.ts';
import { BUDGET_WINDOWS } from '../../../src/core/budget.ts';
import { roundUpToNano } from '../../../src/core/money.ts';
import { ACCOUNTS, PROJECTS } from './backing.ts';
import type { SimulatedNode } from './node.ts';
import { promise, same } from './violation.ts';

/** Cheap: memory only. */
export function checkNode(node: SimulatedNode): void {
  if (node.broken !== null) throw node.broken;
  node.windows.see(node.clock.now());
  const { open, running, disk } = node;
  // Once a call was requested on a disk that takes rows, whatever it refused before is settled.
  if (disk.waiting === 0 && disk.state === 'ready' && disk.refusals === node.askedAfter)
    same(open.size, running.length, () => 'the number of calls that hold money while nothing is on its way');
  const held = heldByOwner(node);
  for (let account = 1; account <= ACCOUNTS; account += 1) checkAccount(node, account, held);
  for (const { id, rootId } of node.keys) if (id === rootId) checkOwner(node, 'key', id, held);
  for (let project = 1; project <= PROJECTS; project += 1) checkOwner(node, 'project', project, held);
  for (let account = 1; account <= ACCOUNTS; account += 1) checkOwner(node, 'account', account, held);
}

/** All rows of the ledger against the books. Nothing may be on its way to the disk. */
export async function checkLedger(node: SimulatedNode): Promise<void> {
  const { books, backing } = node;
  books.check();
  const { settlements, holds, balances, faults } = await backing.durable();
  same(faults.length, 0, () => `the number of faults (${faults.join('; ')})`);
  same(settlements.length, books.settled.size, () => 'the number of settlements in the ledger');
  for (const settlement of settlements)
    promise(
      isDeepStrictEqual(settlement, books.settled.get(settlement.callId)),
      () => `the ledger has call ${settlement.callId} otherwise than it was settled`,
    );
  same(holds.length, books.holds.size, () => 'the number of holds in the ledger');
  for (const hold of holds)
    promise(
      isDeepStrictEqual(hold, books.holds.get(hold.callId)),
      () => `the ledger has the hold of ${hold.callId} otherwise than it was written`,
    );
  for (const [account, { credited, charged }] of books.accounts) {
    same(balances.get(account)?.credited ?? 0n, credited, () => `what the ledger credited account ${account}`);
    same(balances.get(account)?.charged ?? 0n, charged, () => `what the ledger charged account ${account}`);
  }
  await checkPrices(node);
}

/** Every tenth settlement costs the same by the price version that the ledger keeps. */
async function checkPrices({ books, backing }: SimulatedNode): Promise<void> {
  let index = 0;
  for (const { callId, usage, usageSource, priceVersion, cost } of books.settled.values()) {
    index += 1;
    if (index % 10 !== 0 || priceVersion === null || usageSource === 'none') continue;
    const prices = await backing.prices(priceVersion);
    promise(prices !== null, () => `the price version ${priceVersion} is not in the ledger`);
    if (prices !== null) same<bigint>(cost ?? -1n, roundUpToNano(costOf(usage, prices)), () => `the cost of ${callId}`);
  }
}

function checkAccount(node: SimulatedNode, account: number, held: ReadonlyMap<string, bigint>): void {
  const { balance } = node.bank.money.read({ scope: 'account', id: account });
  promise((balance === null) === (node.mode === 'off'), () => 'a balance is kept in every mode but off');
  if (balance === null) return;
  const { credited, charged } = node.books.sums(account);
  same<bigint>(balance.credited, credited, () => `what account ${account} was credited`);
  same<bigint>(balance.charged, charged, () => `what account ${account} was charged`);
  same<bigint>(balance.balance, credited - charged, () => `the balance of account ${account}`);
  const expected = (held.get(`account ${account}`) ?? 0n) + node.disk.debitsOf(account);
  same<bigint>(balance.held, expected, () => `what is held of account ${account}`);
  same<bigint>(balance.available, balance.balance - expected, () => `what is available to account ${account}`);
  if (node.mode === 'prepaid')
    promise(balance.available >= 0n, () => `account ${account} has ${balance.available} available`);
}

function checkOwner(node: SimulatedNode, scope: Scope, id: number, held: ReadonlyMap<string, bigint>): void {
  const owner = `${scope} ${id}`;
  const money = node.bank.money.read({ scope, id });
  same<bigint>(money.held, held.get(owner) ?? 0n, () => `what running calls of ${owner} hold`);
  for (const window of BUDGET_WINDOWS) {
    if (!node.isComparable && window !== 'total') continue;
    const expected = node.windows.charged(owner, window);
    same<bigint>(money.spent[window], expected, () => `what ${owner} spent (${window})`);
  }
}

/** Of key, project and account, by name: `key 3`. */
export function heldByOwner(node: SimulatedNode): Map<string, bigint> {
  const held = new Map<string, bigint>();
  const add = (owner: string, amount: bigint) => held.set(owner, (held.get(owner) ?? 0n) + amount);
  for (const { request, hold } of node.open.values()) {
    add(`key ${request.keyId}`, hold.amount);
    add(`project ${request.projectId}`, hold.amount);
    add(`account ${request.accountId}`, hold.amount);
  }
  return held;
}
