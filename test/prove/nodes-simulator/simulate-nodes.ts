/** The simulator of many nodes: they live through random actions over a model of the bank, and are checked after each. */
import type { HoldRequest } from '../../../src/billing/bank.ts';
import { accountId, keyId, newCallId, projectId } from '../../../src/core/ids.ts';
import { picoUsd } from '../../../src/core/money.ts';
import { Random } from '../simulator/random.ts';
import { promise, Violation } from '../simulator/violation.ts';
import * as actions from './actions.ts';
import { balanceOf, checkQuiet, checkWorld } from './check-world.ts';
import { ACCOUNTS, World } from './world.ts';

export interface NodesFigures {
  actions: number;
  worlds: number;
  calls: number;
  /** How often each case worth proving occurred. */
  readonly seen: Map<string, number>;
}

/** A world's life is short, so that a failing seed is quick to reproduce. */
const ACTIONS_OF_A_WORLD = 300;
const TOLD_ACTIONS = 14;
/** How often a call is tried that takes all there is. */
const TAKEN_WITHIN = 12;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Action = (world: World) => void | Promise<void>;

/** Each with its frequency. */
const ACTIONS: readonly (readonly [name: string, weight: number, run: Action])[] = [
  ['call', 300, actions.call],
  ['call many', 12, actions.callMany],
  ['finish', 250, actions.finish],
  ['finish many', 15, actions.finishMany],
  ['raise', 25, actions.raise],
  ['top up', 25, actions.topUp],
  ['adjust', 15, actions.adjust],
  ['refund', 10, actions.refund],
  ['change a budget', 12, actions.changeBudget],
  ['revoke', 3, actions.revoke],
  ['kill', 8, actions.kill],
  ['kill with the disk', 3, actions.killWithDisk],
  ['restart', 30, actions.restart],
  ['stop', 4, actions.stop],
  ['partition', 6, actions.partition],
  ['cut off the bank', 2, actions.cutOffBank],
  ['heal', 20, actions.heal],
  ['pause', 6, actions.pause],
  ['go on', 20, actions.goOn],
  ['fail over', 2, actions.failOver],
  ['wait', 40, (world) => world.pass(world.random.between(20, 2_000), 20)],
  ['wait long', 6, (world) => world.pass(world.random.between(5_000, 20_000), 250)],
  ['wait until nodes are lost', 2, (world) => world.pass(world.random.between(90_000, 160_000), 250)],
];
const TOTAL_WEIGHT = ACTIONS.reduce((sum, [, weight]) => sum + weight, 0);

/** Throws a `Violation` that names the seed, the action, and what came before it. */
export async function simulateNodes(seed: number, wanted: number): Promise<NodesFigures> {
  const figures: NodesFigures = { actions: 0, worlds: 0, calls: 0, seen: new Map() };
  for (let own = seed; figures.actions < wanted; own += 1) {
    await live(own, Math.min(ACTIONS_OF_A_WORLD, wanted - figures.actions), figures);
    figures.worlds += 1;
  }
  return figures;
}

async function live(seed: number, count: number, figures: NodesFigures): Promise<void> {
  const random = new Random(seed);
  const world = new World(random, startOf(random), figures.seen);
  const history: string[] = [];
  try {
    actions.furnish(world);
    for (const machine of world.machines) machine.start();
    await world.pass(200);
    for (let entry = 1; entry <= 3; entry += 1) actions.topUp(world);
    for (let index = 0; index < count; index += 1) {
      const [name, , run] = pickAction(random);
      history.push(`${index}: ${name}`);
      await run(world);
      await world.pass(random.chance(0.3) ? 0 : random.between(1, 15), 1);
      checkWorld(world);
      figures.actions += 1;
    }
    history.push('the end');
    await comeToRest(world);
    figures.calls += world.calls;
  } catch (error) {
    throw new Violation(
      `${error instanceof Error ? error.message : error}\n` +
        `  seed ${seed}, actions: … ${history.slice(-TOLD_ACTIONS).join(', ')}\n` +
        `  again: TURNPIKE_PROVE_SEED=${seed} npm run prove -- nodes-simulator`,
      { cause: error },
    );
  }
}

/** Often a short time before the end of a day, or of a month. */
function startOf(random: Random): number {
  const day = random.chance(0.4) ? Date.UTC(2026, 10, 30) : Date.UTC(2026, 10, random.between(1, 29));
  return day + (random.chance(0.6) ? DAY_MS - random.between(1_000, 3 * MINUTE_MS) : random.between(0, DAY_MS));
}

/** Everything is repaired and every call ends. Then nothing is lent, and one call can have all there is. */
async function comeToRest(world: World): Promise<void> {
  actions.goOn(world);
  actions.heal(world);
  for (const machine of world.machines) machine.start();
  await world.pass(15_000, 25);
  for (const { calls } of world.machines) for (const call of calls) if (!call.isBusy) actions.end(world, call);
  await world.pass(15_000, 250);
  // Those that were ending have ended by now.
  for (const machine of world.machines) machine.start();
  // Whoever did not come back as itself is declared lost; what is not used goes back.
  await world.pass(180_000, 250);
  checkWorld(world);
  await checkQuiet(world);
  for (const { journal } of world.machines) promise(journal.outbox.length === 0, () => 'a journal is not forwarded');
  for (let account = 1; account <= ACCOUNTS; account += 1) await takeAll(world, account);
}

/** At whichever node; a message may be lost, so not always at once. */
async function takeAll(world: World, account: number): Promise<void> {
  const balance = balanceOf(world, account);
  if (balance === 0n) return;
  for (let time = 1; time <= TAKEN_WITHIN; time += 1) {
    const { process } = world.random.pick(world.machines);
    if (process?.session?.maySpend !== true) continue;
    const call = actions.begin(world, process, wholeOf(account, balance, world.clock.now()));
    await world.pass(8_000, 10);
    if ((await call) !== null) return world.saw('one call got all there is');
  }
  throw new Violation(`account ${account} has ${balance}, and no call gets it`);
}

function wholeOf(account: number, balance: bigint, now: number): HoldRequest {
  return {
    callId: newCallId(now),
    admittedAt: now,
    accountId: accountId(account),
    projectId: projectId(account),
    keyId: keyId(account),
    keyBudgets: undefined,
    projectBudgets: undefined,
    accountBudgets: undefined,
    bound: { fixed: picoUsd(balance * 1_000n), perOutputToken: picoUsd(0n), outputCap: 1, mayLower: false },
  };
}

function pickAction(random: Random): (typeof ACTIONS)[number] {
  let left = random.unit() * TOTAL_WEIGHT;
  for (const action of ACTIONS) {
    left -= action[1];
    if (left < 0) return action;
  }
  return ACTIONS[0] as (typeof ACTIONS)[number];
}
