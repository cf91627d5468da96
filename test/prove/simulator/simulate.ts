/** The simulator: nodes that live through random actions, and are checked after each. */
import type { BillingMode } from '../../../src/billing/billing-mode.ts';
import { ManualClock } from '../../../src/core/clock.ts';
import { type Backing, MemoryBacking, PROJECTS, SqliteBacking } from './backing.ts';
import { answerFromCache, beginCall, beginMany, endCall, moveCall, stepCall } from './call-actions.ts';
import { checkLedger, checkNode } from './check-node.ts';
import { SimulatedNode } from './node.ts';
import * as actions from './node-actions.ts';
import { Random } from './random.ts';
import { settleDown, takeTurns } from './settle-down.ts';
import { randomTarget } from './upstream.ts';
import { Violation } from './violation.ts';

export interface SimulationOptions {
  /** The first node's; the next one has the next integer. */
  readonly seed: number;
  readonly actions: number;
  readonly storage: 'memory' | 'sqlite';
}

export interface SimulationFigures {
  actions: number;
  nodes: number;
  calls: number;
  kills: number;
  restarts: number;
  /** How often each case worth proving occurred. */
  readonly seen: Map<string, number>;
}

/** A node's life is short, so that a failing seed is quick to reproduce. */
const ACTIONS_OF_A_NODE = 1_000;
/** How often all rows are checked. */
const LEDGER_EVERY = { memory: 250, sqlite: 125 } as const;
const TOLD_ACTIONS = 12;

type Action = (node: SimulatedNode, random: Random) => void | Promise<void>;

/** Each with its frequency, out of about 1,000. */
const ACTIONS: readonly (readonly [name: string, weight: number, run: Action])[] = [
  ['begin a call', 270, beginCall],
  ['begin many calls', 8, beginMany],
  ['answer from the cache', 12, answerFromCache],
  ['step a call', 270, stepCall],
  ['ask another target', 40, moveCall],
  ['end a call', 250, endCall],
  ['top up', 35, actions.topUp],
  ['adjust', 15, actions.adjust],
  ['refund', 15, actions.refund],
  ['send an entry again', 12, actions.resend],
  ['change a price', 8, actions.changePrice],
  ['change rates', 8, actions.changeRates],
  ['reload rates', 4, actions.reloadRates],
  ['change a key', 12, actions.changeKeys],
  ['change a budget', 12, actions.changeBudgets],
  ['pass time', 40, actions.passTime],
  ['jump the clock', 6, actions.jumpClock],
  ['trouble the disk', 5, actions.troubleDisk],
  ['lose answers', 5, actions.loseAnswers],
  ['mend the disk', 30, actions.mendDisk],
  ['kill', 5, actions.kill],
  ['stop and start', 3, actions.stop],
];

/** Throws a `Violation` that names the seed, the action, and what came before it. */
export async function simulate({ seed, actions: wanted, storage }: SimulationOptions): Promise<SimulationFigures> {
  const figures: SimulationFigures = { actions: 0, nodes: 0, calls: 0, kills: 0, restarts: 0, seen: new Map() };
  for (let own = seed; figures.actions < wanted; own += 1) {
    await live(own, Math.min(ACTIONS_OF_A_NODE, wanted - figures.actions), storage, figures);
    figures.nodes += 1;
  }
  return figures;
}

async function live(
  seed: number,
  count: number,
  storage: SimulationOptions['storage'],
  figures: SimulationFigures,
): Promise<void> {
  const random = new Random(seed);
  const clock = new ManualClock(Date.UTC(2026, 10, random.between(1, 30), random.between(0, 23)));
  const history: string[] = [];
  const backing: Backing = storage === 'memory' ? new MemoryBacking(clock) : await SqliteBacking.open(clock);
  try {
    const node = await furnish(backing, clock, random, figures.seen);
    let isHeldBack = false;
    for (let index = 0; index < count; index += 1) {
      const [name, , run] = pickAction(random);
      history.push(`${index}: ${name}`);
      await run(node, random);
      if (random.chance(0.03)) isHeldBack = !isHeldBack;
      if (!isHeldBack || random.chance(0.15)) await settleDown(node);
      else await takeTurns();
      checkNode(node);
      if (index % LEDGER_EVERY[storage] === 0 || name === 'kill') await checkLedger(node);
      figures.actions += 1;
      if (name === 'kill') figures.kills += 1;
      if (name === 'stop and start') figures.restarts += 1;
    }
    await actions.stop(node);
    checkNode(node);
    await checkLedger(node);
    figures.calls += node.books.settled.size;
  } catch (error) {
    throw new Violation(
      `${error instanceof Error ? error.message : error}\n` +
        `  seed ${seed}, storage ${storage}, actions: … ${history.slice(-TOLD_ACTIONS).join(', ')}\n` +
        `  again: TURNPIKE_PROVE_SEED=${seed} TURNPIKE_PROVE_STORAGE=${storage} npm run prove -- simulator`,
      { cause: error },
    );
  } finally {
    await backing.dispose();
  }
}

async function furnish(
  backing: Backing,
  clock: ManualClock,
  random: Random,
  seen: Map<string, number>,
): Promise<SimulatedNode> {
  const mode: BillingMode = random.pick(['prepaid', 'prepaid', 'prepaid', 'prepaid', 'postpaid', 'off']);
  const node = await SimulatedNode.start(backing, clock, {
    mode,
    isForwards: random.chance(0.5),
    seen,
    rates: actions.randomRates(random),
  });
  for (let model = 1; model <= 4; model += 1) {
    const name = `acme/model-${model}`;
    const target = randomTarget(random, name);
    // Without a price a model is not served on a prepaid installation.
    const isUnpriced = mode !== 'prepaid' && model === 4;
    node.models.push({ name, target: await node.pin(name, isUnpriced ? { ...target, prices: null } : target) });
  }
  for (let key = 1; key <= 5; key += 1)
    await node.addKey(
      null,
      random.between(1, PROJECTS),
      random.chance(0.5) ? actions.randomBudgets(random) : undefined,
    );
  for (let entry = 1; entry <= 3; entry += 1) actions.topUp(node, random);
  await settleDown(node);
  return node;
}

const TOTAL_WEIGHT = ACTIONS.reduce((sum, [, weight]) => sum + weight, 0);

function pickAction(random: Random): (typeof ACTIONS)[number] {
  let left = random.unit() * TOTAL_WEIGHT;
  for (const action of ACTIONS) {
    left -= action[1];
    if (left < 0) return action;
  }
  return ACTIONS[0] as (typeof ACTIONS)[number];
}
