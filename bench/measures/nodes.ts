/**
 * What PostgreSQL as the ledger costs: CPU time of a call at a node next to a node on SQLite and the bare proxy, in turns; and the same of
 * the nodes and of the database with one node, with four, and with one again, at some rates, with the transactions that the database makes
 * for them.
 * Four nodes are compared with one at the same rate in all, and with one at the rate that each of them has.
 */
import { wholeAnswer } from '../bodies.ts';
import { CHAT } from '../dialects.ts';
import { type Connection, checkAnswer, expectSuccess, openConnections, requestBytes } from '../load/load.ts';
import { openLoop } from '../load/pace.ts';
import { usedBetween } from '../process-cpu.ts';
import { openSharedDatabase, type SharedDatabase } from '../shared-database.ts';
import { median } from '../statistics.ts';
import type { Subject } from '../subject.ts';
import { FIRST_WARM_UP, measureCall, WARM_UP } from './call.ts';
import { gatheringInWords } from './gathering.ts';
import type { Bench, Row } from './measure.ts';
import { listed, repeats } from './rounds.ts';

const CALLS = 20_000;
/** What a call may cost a node with PostgreSQL: this many times a node with SQLite. */
const POSTGRES_MOST = 1.15;
/** A call at a node on PostgreSQL waits for its commit: with 64 the node would be idle for two fifths of the time, and wake up more often for each call. */
const CONNECTIONS = 512;
const NODES = 4;
/** Calls a second of all nodes together. Each is four times one before it, so that four nodes have the load of one each. */
const RATES = [100, 250, 400, 1_000] as const;
const AT_RATE_MS = 6_000;
/** Sessions of the database publish what they have counted every second. */
const WARM_UP_AT_RATE_MS = 1_500;
/** Of nodes after the first, which are only measured at that rate. */
const WARM_UP_OF_OTHERS = 20_000;
/** What four nodes may cost: this many times one that has the load of each of them. */
const GROWTH_MOST = 1.05;

const PLAIN = { profileFolder: null, watchLoop: false, countStatements: false, ledger: 'kept' } as const;

export async function measureNodes(bench: Bench): Promise<Row[]> {
  for (const line of await gatheringInWords()) bench.say(line);
  const options = { ...PLAIN, profileFolder: bench.profileFolder };
  const rounds = new NodeRounds();
  const count = repeats(bench).rounds;
  const starts = bench.quick ? 1 : 2;
  for (let start = 1; start <= starts; start += 1) {
    const database = await openSharedDatabase(bench.backend, options);
    if (database === null) return [row('CPU per call with PostgreSQL (not measured: it is not installed)', 'µs', [])];
    try {
      await measureStart(bench, database, count, rounds);
      bench.say(`start ${start} of ${starts}: ${rounds.inWords(count)}`);
    } finally {
      await database.stop();
    }
  }
  return rounds.rows();
}

async function measureStart(bench: Bench, database: SharedDatabase, count: number, rounds: NodeRounds): Promise<void> {
  const calls = bench.quick ? CALLS / 4 : CALLS;
  const onSqlite = await bench.startFresh('turnpike');
  try {
    const bare = bench.subjects.find(({ name }) => name === 'bare');
    const node = await database.startNode();
    const subjects = [onSqlite, node, ...(bare === undefined ? [] : [bare])];
    for (const subject of subjects) await warmUp(subject, bench.quick ? WARM_UP_OF_OTHERS : FIRST_WARM_UP);
    for (let round = 0; round < count; round += 1) {
      bench.walk.measure();
      rounds.sqlite.push(await measureCall(onSqlite, WARM_UP, calls, CONNECTIONS));
      const before = database.cpu();
      rounds.postgres.push(await measureCall(node, WARM_UP, calls, CONNECTIONS));
      rounds.database.push(usedBetween(before, database.cpu()) / (WARM_UP + calls));
      if (bare !== undefined) rounds.bare.push(await measureCall(bare, WARM_UP, calls, CONNECTIONS));
    }
    const half = Math.ceil(count / 2);
    await oneNode(bench, database, node, half, rounds);
    await fourNodes(bench, database, node, count, rounds);
    await oneNode(bench, database, node, count - half, rounds);
  } finally {
    await onSqlite.stop();
  }
}

/** While no other node runs: what an idle one asks the database would count as this one's. */
async function oneNode(
  bench: Bench,
  database: SharedDatabase,
  node: Subject,
  count: number,
  rounds: NodeRounds,
): Promise<void> {
  for (let round = 0; round < count; round += 1)
    for (const rate of RATES) rounds.at(rate).one.push(await atRate([node], database, rate, millisecondsOf(bench)));
}

async function fourNodes(
  bench: Bench,
  database: SharedDatabase,
  node: Subject,
  count: number,
  rounds: NodeRounds,
): Promise<void> {
  const others: Subject[] = [];
  try {
    while (others.length < NODES - 1) {
      const another = await database.startNode();
      others.push(another);
      await warmUp(another, WARM_UP_OF_OTHERS);
    }
    for (let round = 0; round < count; round += 1)
      for (const rate of RATES)
        rounds.at(rate).four.push(await atRate([node, ...others], database, rate, millisecondsOf(bench)));
  } finally {
    await Promise.all(others.map((other) => other.stop()));
  }
}

function millisecondsOf(bench: Bench): number {
  return bench.quick ? AT_RATE_MS / 2 : AT_RATE_MS;
}

async function warmUp(subject: Subject, calls: number): Promise<void> {
  if (subject.name !== 'bare') await checkAnswer(subject, CHAT, 'whole');
  await measureCall(subject, calls, 1);
}

interface Costs {
  /** Microseconds a call, of the nodes that serve it and of the database. */
  readonly node: number;
  readonly database: number;
  /** Of the database, a second: all of them, also those that nodes make without calls. */
  readonly transactions: number;
}

/** Of the rounds at one rate. */
interface AtRate {
  readonly one: Costs[];
  readonly four: Costs[];
}

/** Calls over these nodes, which are all that run, in turn. */
async function atRate(
  nodes: readonly Subject[],
  database: SharedDatabase,
  rate: number,
  forMs: number,
): Promise<Costs> {
  const pools = await Promise.all(nodes.map((node) => Callers.open(node)));
  try {
    await makeCalls(pools, rate, WARM_UP_AT_RATE_MS);
    const cpu = () => nodes.reduce((sum, { process }) => sum + (process?.cpuMicros() ?? 0), 0);
    const transactionsBefore = await database.transactions();
    const before = { nodes: cpu(), database: database.cpu(), ms: performance.now() };
    const calls = await makeCalls(pools, rate, forMs);
    const after = { nodes: cpu(), database: database.cpu(), ms: performance.now() };
    return {
      node: (after.nodes - before.nodes) / calls,
      database: usedBetween(before.database, after.database) / calls,
      transactions: (1_000 * ((await database.transactions()) - transactionsBefore)) / (after.ms - before.ms),
    };
  } finally {
    for (const pool of pools) pool.close();
  }
}

/** Resolves to how many were made, once all are answered. */
async function makeCalls(pools: readonly Callers[], rate: number, forMs: number): Promise<number> {
  const underWay: Promise<void>[] = [];
  await openLoop(rate, forMs, () => {
    underWay.push((pools[underWay.length % pools.length] as Callers).call());
  });
  await Promise.all(underWay);
  return underWay.length;
}

/** Keep-alive connections to a node; a call that finds none free waits. */
class Callers {
  readonly #node: Subject;
  readonly #request: Buffer;
  readonly #all: readonly Connection[];
  readonly #free: Connection[];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  private constructor(node: Subject, connections: readonly Connection[]) {
    this.#node = node;
    this.#request = requestBytes(node, CHAT, 'whole');
    this.#all = connections;
    this.#free = [...connections];
  }

  static async open(node: Subject): Promise<Callers> {
    return new Callers(node, await openConnections(node.port, 64));
  }

  async call(): Promise<void> {
    const connection = this.#free.pop() ?? (await new Promise<Connection>((resolve) => this.#waiting.push(resolve)));
    expectSuccess(this.#node, await connection.call(this.#request), BYTES_MIN);
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(connection);
    else next(connection);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }
}

const BYTES_MIN = wholeAnswer(CHAT).length - 64;

class NodeRounds {
  readonly sqlite: number[] = [];
  readonly postgres: number[] = [];
  readonly database: number[] = [];
  readonly bare: number[] = [];
  readonly #rates = new Map<number, AtRate>(RATES.map((rate) => [rate, { one: [], four: [] }]));

  at(rate: number): AtRate {
    return this.#rates.get(rate) as AtRate;
  }

  /** The last rounds. */
  inWords(last: number): string {
    const part = (name: string, values: readonly number[]) => `${name} ${listed(values.slice(-last))}`;
    return [
      part('SQLite', this.sqlite),
      part('PostgreSQL', this.postgres),
      part('its own', this.database),
      part('bare', this.bare),
      ...RATES.flatMap((rate) =>
        PARTS.map(({ of, words }) => {
          const { one, four } = this.at(rate);
          const values = (costs: readonly Costs[]) => listed(costs.slice(-last).map(of));
          return `${words} at ${rate} a second ${values(one)}, of ${NODES} nodes ${values(four)}`;
        }),
      ),
    ].join(' · ');
  }

  rows(): Row[] {
    return [
      { ...row('CPU per call of a node with SQLite, in the same rounds', 'µs', this.sqlite), ...withBare(this) },
      row(`CPU per call of a node with PostgreSQL, ${CONNECTIONS} connections`, 'µs', this.postgres),
      {
        ...row('the same ÷ that with SQLite', '', ratiosOf(this.postgres, this.sqlite)),
        target: { type: 'absolute', most: POSTGRES_MOST },
      },
      row(`CPU per call of PostgreSQL, ${CONNECTIONS} connections`, 'µs', this.database),
      ...RATES.flatMap((rate) => this.#rowsAt(rate)),
    ];
  }

  #rowsAt(rate: number): Row[] {
    const { one, four } = this.at(rate);
    const ofEach = RATES.includes((rate / NODES) as (typeof RATES)[number]) ? this.at(rate / NODES).one : null;
    return PARTS.flatMap(({ of, unit, words }) => {
      const values = four.map(of);
      const beside = row(`${words}: ${NODES} nodes with ${rate} calls a second in all`, unit, values);
      const total = row(`the same ÷ one node with ${rate} a second`, '', ratiosOf(values, one.map(of)));
      if (ofEach === null || unit === 'a second') return [beside, total];
      const same = row(
        `the same ÷ one node with ${rate / NODES} a second, the load of each`,
        '',
        ratiosOf(values, ofEach.map(of)),
      );
      return [beside, total, { ...same, target: { type: 'absolute', most: GROWTH_MOST } }];
    });
  }
}

const PARTS = [
  { words: 'CPU per call of nodes', unit: 'µs', of: ({ node }: Costs) => node },
  { words: 'CPU per call of PostgreSQL', unit: 'µs', of: ({ database }: Costs) => database },
  { words: 'transactions of PostgreSQL', unit: 'a second', of: ({ transactions }: Costs) => transactions },
] as const;

function ratiosOf(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN));
}

function withBare({ sqlite, bare }: NodeRounds): Pick<Row, 'values' | 'rounds'> {
  if (bare.length === 0) return { values: { turnpike: median(sqlite) }, rounds: { turnpike: sqlite } };
  return { values: { turnpike: median(sqlite), bare: median(bare) }, rounds: { turnpike: sqlite, bare } };
}

function row(work: string, unit: string, rounds: readonly number[]): Row {
  if (rounds.length === 0) return { work, unit, digits: 1, values: {}, rounds: null, target: null };
  const digits = unit === '' ? 2 : 1;
  return { work, unit, digits, values: { turnpike: median(rounds) }, rounds: { turnpike: rounds }, target: null };
}
