/**
 * A hundred nodes and a million accounts, simulated: how often nodes ask the bank for shares at 10,000 calls a second, and what that makes
 * PostgreSQL do. The nodes' own code (`src/nodes/leases.ts`) asks a bank that only counts.
 */
import type { HoldRequest } from '../../../../src/billing/bank.ts';
import { Demand } from '../../../../src/billing/demand.ts';
import type { Lent } from '../../../../src/billing/lent/funds.ts';
import { ManualClock } from '../../../../src/core/clock.ts';
import { accountId, keyId, newCallId, projectId } from '../../../../src/core/ids.ts';
import { nanoUsd, parseUsd } from '../../../../src/core/money.ts';
import { Leases } from '../../../../src/nodes/leases.ts';
import type { LeaseAnswer, NodeBank, Returned, Want } from '../../../../src/nodes/ports.ts';
import { seeded } from '../seeded.ts';

/** How calls reach nodes: any node, or always the same one for an account, as a load balancer that hashes the key does. */
export type Routing = 'any node' | 'by key';

export interface ScaleOptions {
  readonly nodes: number;
  readonly accounts: number;
  readonly callsPerSecond: number;
  readonly seconds: number;
  readonly routing: Routing;
  readonly seed: number;
}

export interface ScaleFigures {
  readonly calls: number;
  /** The part of calls that waited for an answer of the bank. */
  readonly waited: number;
  /** Of the second half of the simulation, per second. */
  readonly leaseStatements: number;
  readonly pursesAsked: number;
  readonly returnStatements: number;
  readonly pursesReturned: number;
  readonly leaseRows: number;
  /** Of each node, on average. */
  readonly pursesKept: number;
}

const TICK_MS = 10;
const HOLD = parseUsd('0.02');
const CHARGE = parseUsd('0.004');
const MEAN_CALL_MS = 3_000;

export async function simulateScale(options: ScaleOptions): Promise<ScaleFigures> {
  const { nodes, accounts, callsPerSecond, seconds, routing, seed } = options;
  const random = seeded(seed);
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const bank = new CountingBank(nodes);
  const all = Array.from({ length: nodes }, (_, slot) => leasesOf(bank, slot, clock));
  const accountOf = sampler(accounts, random);
  const endings = new Map<number, Lent[]>();
  let calls = 0;
  let waited = 0;
  let before: Counts = { ...bank.counts };
  const ticks = (seconds * 1_000) / TICK_MS;
  for (let tick = 0; tick < ticks; tick += 1) {
    if (tick === ticks / 2) before = { ...bank.counts };
    for (const lent of endings.get(tick) ?? []) {
      lent.release(CHARGE);
    }
    endings.delete(tick);
    for (let call = 0; call < (callsPerSecond * TICK_MS) / 1_000; call += 1) {
      const account = accountOf();
      const at = routing === 'by key' ? account % nodes : Math.floor(random() * nodes);
      const taken = (all[at] as Leases).take(requestOf(account), Demand.of(HOLD));
      calls += 1;
      const endsAt = tick + 1 + Math.floor((-Math.log(1 - random()) * MEAN_CALL_MS) / TICK_MS);
      if (taken instanceof Promise) waited += 1;
      const lent = taken instanceof Promise ? taken : Promise.resolve(taken);
      void lent.then((outcome) => {
        if (outcome.refused !== null) throw new Error(`a call was refused: ${outcome.refused}`);
        const due = endings.get(endsAt);
        if (due === undefined) endings.set(endsAt, [outcome]);
        else due.push(outcome);
      });
    }
    clock.advance(TICK_MS);
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  const span = seconds / 2;
  const perSecond = (name: keyof Counts) => (bank.counts[name] - before[name]) / span;
  const kept = all.reduce((sum, leases) => sum + leases.size, 0) / nodes;
  for (const leases of all) leases.stop();
  return {
    calls,
    waited: waited / calls,
    leaseStatements: perSecond('leases'),
    pursesAsked: perSecond('asked'),
    returnStatements: perSecond('returns'),
    pursesReturned: perSecond('returned'),
    leaseRows: bank.rows,
    pursesKept: kept,
  };
}

interface Counts {
  leases: number;
  asked: number;
  returns: number;
  returned: number;
}

/** Lends by the rule of `turnpike_lease_2`, from balances that suffice. */
class CountingBank {
  readonly counts: Counts = { leases: 0, asked: 0, returns: 0, returned: 0 };
  readonly #nodes: number;
  readonly #granted = new Map<number, bigint>();

  constructor(nodes: number) {
    this.#nodes = nodes;
  }

  get rows(): number {
    return this.#granted.size;
  }

  async lease(slot: number, wants: readonly Want[]): Promise<LeaseAnswer> {
    this.counts.leases += 1;
    this.counts.asked += wants.length;
    const shares = wants.map(({ purse, shortfall, wish }) => {
      const key = purse.id * this.#nodes + slot;
      const share = FREE / 2n / BigInt(this.#nodes);
      const more = wish < share ? wish : share;
      const granted = (this.#granted.get(key) ?? 0n) + (more > shortfall ? more : shortfall);
      this.#granted.set(key, granted);
      return { granted: nanoUsd(granted), free: nanoUsd(FREE), elsewhere: nanoUsd(0n), window: null };
    });
    return { isOver: false, shares, day: 0 };
  }

  async giveBack(slot: number, returned: readonly Returned[]): Promise<readonly boolean[]> {
    this.counts.returns += 1;
    this.counts.returned += returned.length;
    return returned.map(({ purse, keeps, isLast }) => {
      const key = purse.id * this.#nodes + slot;
      if (isLast) this.#granted.delete(key);
      else this.#granted.set(key, keeps);
      return isLast;
    });
  }
}

const FREE = parseUsd('100') as bigint;

function leasesOf(bank: CountingBank, slot: number, clock: ManualClock): Leases {
  const port: Pick<NodeBank, 'lease' | 'giveBack' | 'money'> = {
    lease: (_place, wants) => bank.lease(slot, wants),
    giveBack: (_place, returned) => bank.giveBack(slot, returned),
    money: { of: async () => [] },
  };
  const fail = (cause: unknown) => {
    throw new Error('the bank is asked for what it does not have', { cause });
  };
  const leases = new Leases({
    bank: port,
    mode: 'prepaid',
    clock,
    maySpend: () => true,
    onProblem: fail,
    onAnswered: fail,
    onOver: () => fail(null),
  });
  leases.begin({ slot, epoch: 1 });
  return leases;
}

function requestOf(account: number): HoldRequest {
  const callId = CALL;
  return {
    callId,
    admittedAt: 0,
    accountId: accountId(account + 1),
    projectId: projectId(account + 1),
    keyId: keyId(account + 1),
    keyBudgets: undefined,
    projectBudgets: undefined,
    accountBudgets: undefined,
    bound: null,
  };
}

const CALL = newCallId(Date.UTC(2026, 10, 21, 12));

/** Accounts as they are used: the n-th most active one calls 1/n as often as the first (Zipf). */
function sampler(accounts: number, random: () => number): () => number {
  const sums = new Float64Array(accounts);
  let sum = 0;
  for (let rank = 0; rank < accounts; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, accounts - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

export function scaleText(options: ScaleOptions, figures: ScaleFigures): string {
  const { nodes, accounts, callsPerSecond, routing } = options;
  const { waited, leaseStatements, pursesAsked, returnStatements, pursesReturned, leaseRows, pursesKept } = figures;
  const round = (value: number) => Math.round(value).toLocaleString('en');
  return (
    `${nodes} nodes, ${accounts.toLocaleString('en')} accounts, ${callsPerSecond.toLocaleString('en')} calls/s, ${routing}: ` +
    `${(waited * 100).toFixed(1)} % of calls waited for the bank; ${round(leaseStatements)} requests/s for ${round(pursesAsked)} shares, ` +
    `${round(returnStatements)} for ${round(pursesReturned)} returns; ${round(leaseRows)} leases, ${round(pursesKept)} purses a node`
  );
}
