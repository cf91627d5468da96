/** What happens to a node besides its calls: money, prices, keys, budgets, time, the disk, and its own end. */
import type { NewEntry } from '../../../src/billing/entry.ts';
import type { InstallationRates } from '../../../src/billing/rates.ts';
import type { Budgets } from '../../../src/core/budget.ts';
import type { CallId } from '../../../src/core/ids.ts';
import { type Money, nanoUsd } from '../../../src/core/money.ts';
import { LIST_RATE, markupRate, NO_CHARGE, PERCENT_MAX, type Rate, rate } from '../../../src/core/rates/rate.ts';
import { ACCOUNTS, PROJECTS } from './backing.ts';
import { cutCalls, drainCalls } from './call-actions.ts';
import type { SimulatedNode } from './node.ts';
import type { Random } from './random.ts';
import { settleDown } from './settle-down.ts';
import { DiskRefusal, LostAnswer } from './unsure-disk.ts';
import { randomPrices } from './upstream.ts';
import { promise, same, Violation } from './violation.ts';

const CENT = 10_000_000;
const KEYS_MAX = 12;
const GOOD_KEYS_MIN = 3;
const HOUR_MS = 3_600_000;

export function topUp(node: SimulatedNode, random: Random): void {
  const kind = random.chance(0.7) ? 'topup' : 'promo';
  post(node, entry(node, random, { kind, amount: nanoUsd(BigInt(random.between(1, 500 * CENT))) }));
}

export function adjust(node: SimulatedNode, random: Random): void {
  const amount = nanoUsd(BigInt(random.between(-300 * CENT, 200 * CENT)));
  post(node, entry(node, random, { kind: 'adjustment', amount }));
}

/** For a call that may have been refunded before, or cost less than this. */
export function refund(node: SimulatedNode, random: Random): void {
  const settled = [...node.books.settled.values()].slice(-50);
  if (settled.length === 0) return;
  const { callId, charge, accountId } = random.pick(settled);
  const amount = nanoUsd((charge * BigInt(random.between(1, 130))) / 100n);
  post(node, entry(node, random, { kind: 'refund', amount, callId, accountId }));
}

/** The same entry again, sometimes twice concurrently, sometimes with another amount. */
export function resend(node: SimulatedNode, random: Random): void {
  const entries = [...node.books.entries.values()].slice(-20);
  if (entries.length === 0) return;
  const known = random.pick(entries);
  if (random.chance(0.3)) return post(node, { ...known, amount: nanoUsd(known.amount + 1n) }, 'conflict');
  for (let count = random.between(1, 3); count > 0; count -= 1) post(node, { ...known, at: node.clock.now() }, 'again');
}

function entry(node: SimulatedNode, random: Random, changes: Partial<NewEntry>): NewEntry {
  return {
    accountId: random.between(1, ACCOUNTS) as never,
    kind: 'topup',
    amount: nanoUsd(0n),
    reference: reference(node, random),
    callId: null as CallId | null,
    note: null,
    at: node.clock.now(),
    ...changes,
  };
}

/** Sometimes the one of another entry, which may not be written yet. */
function reference(node: SimulatedNode, random: Random): string {
  if (!random.chance(0.05)) node.references += 1;
  return `entry ${node.references}`;
}

function post(node: SimulatedNode, sent: NewEntry, expected: 'any' | 'again' | 'conflict' = 'any'): void {
  const { life } = node;
  node.bank.post(sent).then(
    (answer) => {
      if (node.life !== life) return;
      if (answer.refused !== null) {
        node.saw(`entry refused ${answer.refused}`);
        if (expected === 'again')
          node.fail(new Violation(`${sent.reference} was posted, and is refused now: ${answer.refused}`));
        return;
      }
      const { entry: posted, isNew } = answer;
      node.saw(isNew ? `posted ${sent.kind}` : 'entry sent again');
      try {
        promise(expected !== 'conflict', () => `the reference ${sent.reference} stands for two entries`);
        if (expected === 'again') same(isNew ? 1 : 0, 0, () => `whether ${sent.reference} is new`);
        same<bigint>(posted.amount, sent.amount, () => `the amount of ${sent.reference}`);
        const known = node.books.entries.get(`${sent.accountId} ${sent.reference}`);
        promise(known !== undefined, () => `the entry ${sent.reference} was acknowledged, and is not durable`);
      } catch (error) {
        node.fail(error);
      }
    },
    (error: unknown) => {
      if (error instanceof LostAnswer) node.saw('posting unanswered');
      if (node.life === life && !(error instanceof DiskRefusal)) node.fail(error);
    },
  );
}

/** Running calls keep the prices they began with. */
export async function changePrice(node: SimulatedNode, random: Random): Promise<void> {
  const model = random.pick(node.models);
  if (model.target.prices === null) return;
  model.target = await node.pin(model.name, { ...model.target, prices: randomPrices(random) });
}

/** Running calls keep the rates they began with. */
export function changeRates(node: SimulatedNode, random: Random): void {
  const models = Object.fromEntries(
    node.models.flatMap(({ name }) => (random.chance(0.3) ? [[name, randomMarkup(random)]] : [])),
  );
  node.changeRates(random.between(1, ACCOUNTS), {
    ...(random.chance(0.5) && { markup: randomMarkup(random) }),
    models,
    ...(random.chance(0.5) && { ownCredential: random.chance(0.5) ? NO_CHARGE : rate(random.between(1, 2_000_000)) }),
  });
}

/** The configuration is read again, with other rates for every account: running calls keep theirs. */
export function reloadRates(node: SimulatedNode, random: Random): void {
  node.replaceRates(randomRates(random));
}

export function randomRates(random: Random): InstallationRates {
  return {
    markup: random.chance(0.5) ? LIST_RATE : randomMarkup(random),
    models: new Map(random.chance(0.5) ? [['acme/model-1', randomMarkup(random)]] : []),
    ownCredential: random.chance(0.5)
      ? NO_CHARGE
      : rate(random.chance(0.3) ? random.pick(EDGES) : random.between(1, 100_000)),
  };
}

/** Around what is charged as it costs, and around nothing. */
const EDGES = [0, 1, 999_999, 1_000_000, 1_000_001, 10_000_000] as const;

/** Mostly small, with an odd number of parts per million; rarely at an edge, or the highest there is. */
function randomMarkup(random: Random): Rate {
  if (random.chance(0.05)) return markupRate(PERCENT_MAX);
  if (random.chance(0.1)) return rate(random.pick(EDGES));
  return rate(LIST_RATE + random.between(0, random.pick([1, 1_000, 300_000, 2_000_000])));
}

/** Revoked, with or without its running calls; rotated; or a new one is created. */
export async function changeKeys(node: SimulatedNode, random: Random): Promise<void> {
  const good = node.keys.filter((key) => !key.isRevoked);
  const key = random.pick(good);
  if (good.length > GOOD_KEYS_MIN && random.chance(0.6)) {
    key.isRevoked = true;
    if (random.chance(0.5)) cutCalls(node, key.id);
  } else if (node.keys.length === KEYS_MAX) return;
  else if (random.chance(0.5)) await node.addKey(key.rootId, key.projectId, key.budgets);
  else await node.addKey(null, random.between(1, PROJECTS), randomBudgets(random));
}

export function changeBudgets(node: SimulatedNode, random: Random): void {
  const budgets = randomBudgets(random);
  const what = random.between(0, 2);
  if (what === 1) node.projectBudgets[random.between(1, PROJECTS)] = budgets;
  else if (what === 2) node.accountBudgets[random.between(1, ACCOUNTS)] = budgets;
  else {
    // A chain of rotations has one budget.
    const { rootId } = random.pick(node.keys);
    for (const key of node.keys) if (key.rootId === rootId) key.budgets = budgets;
  }
}

export function randomBudgets(random: Random): Budgets | undefined {
  if (random.chance(0.3)) return undefined;
  const amount = (most: number): Money => nanoUsd(BigInt(random.between(0, most * CENT)));
  return {
    ...(random.chance(0.5) ? { day: amount(100) } : {}),
    ...(random.chance(0.3) ? { week: amount(300) } : {}),
    ...(random.chance(0.3) ? { month: amount(600) } : {}),
    ...(random.chance(0.2) ? { total: amount(2_000) } : {}),
  };
}

export function passTime(node: SimulatedNode, random: Random): void {
  node.clock.advance(random.between(1, 300));
  if (random.chance(0.1)) node.clock.stepWall(random.between(1, 40) * HOUR_MS);
}

/** A time server corrects the clock, by moments or by months. */
export function jumpClock(node: SimulatedNode, random: Random): void {
  const byMs = random.pick([1_000, HOUR_MS, 24 * HOUR_MS, 24 * 40 * HOUR_MS]) * random.between(1, 3);
  node.clock.stepWall(random.chance(0.5) || node.isForwards ? byMs : -byMs);
}

export function troubleDisk(node: SimulatedNode, random: Random): void {
  node.disk.turn(random.pick(['full', 'full', 'full', 'short', 'broken']));
}

/** From now on entries are written, and their answer is lost. */
export function loseAnswers(node: SimulatedNode): void {
  node.disk.losesAnswers = true;
}

/** Space was freed. A broken disk stays broken until the restart. */
export function mendDisk(node: SimulatedNode): void {
  node.disk.losesAnswers = false;
  if (node.disk.state !== 'ready') node.disk.turn('ready');
}

export async function kill(node: SimulatedNode, random: Random): Promise<void> {
  if (node.disk.waiting > 0) node.saw('killed with writes under way');
  // Nothing that waits was written, or all of it, or the first part; nobody was notified.
  await node.disk.die(random.pick([0, node.disk.waiting, random.between(0, node.disk.waiting)]));
  await node.restart();
}

export async function stop(node: SimulatedNode): Promise<void> {
  drainCalls(node);
  await settleDown(node);
  await node.restart();
}
