/**
 * What PostgreSQL as the ledger costs: CPU time of a call at a node next to a node on SQLite and the bare proxy, in turns, and the same of
 * the node and of the database with one node and with four, at the same total rate.
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
import type { Bench, Row } from './measure.ts';
import { listed, repeats } from './rounds.ts';

const CALLS = 20_000;
/** What a call may cost a node with PostgreSQL: this many times a node with SQLite. */
const POSTGRES_MOST = 1.15;
const NODES = 4;
/** Of all nodes together. */
const RATE = 1_000;
const AT_RATE_MS = 6_000;
/** Of nodes after the first, which are only measured at that rate. */
const WARM_UP_OF_OTHERS = 20_000;
/** What four nodes may cost: this many times one, at the same total rate. */
const GROWTH_MOST = 1.05;

const PLAIN = { profileFolder: null, watchLoop: false, countStatements: false, ledger: 'kept' } as const;

export async function measureNodes(bench: Bench): Promise<Row[]> {
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
      rounds.sqlite.push(await measureCall(onSqlite, WARM_UP, calls));
      const before = database.cpu();
      rounds.postgres.push(await measureCall(node, WARM_UP, calls));
      rounds.database.push(usedBetween(before, database.cpu()) / (WARM_UP + calls));
      if (bare !== undefined) rounds.bare.push(await measureCall(bare, WARM_UP, calls));
    }
    const nodes = [node];
    while (nodes.length < NODES) {
      const another = await database.startNode();
      await warmUp(another, WARM_UP_OF_OTHERS);
      nodes.push(another);
    }
    const forMs = bench.quick ? AT_RATE_MS / 4 : AT_RATE_MS;
    for (let round = 0; round < count; round += 1) {
      rounds.one.push(await atRate([node], database, forMs));
      rounds.four.push(await atRate(nodes, database, forMs));
    }
  } finally {
    await onSqlite.stop();
  }
}

async function warmUp(subject: Subject, calls: number): Promise<void> {
  if (subject.name !== 'bare') await checkAnswer(subject, CHAT, 'whole');
  await measureCall(subject, calls, 1);
}

interface Costs {
  /** Microseconds a call, of the nodes that serve it and of the database. */
  readonly node: number;
  readonly database: number;
}

/** Calls at `RATE` over these nodes in turn. What other nodes do meanwhile counts as the database's only where it makes that work. */
async function atRate(nodes: readonly Subject[], database: SharedDatabase, forMs: number): Promise<Costs> {
  const pools = await Promise.all(nodes.map((node) => Callers.open(node)));
  try {
    await makeCalls(pools, 1_000);
    const cpu = () => nodes.reduce((sum, { process }) => sum + (process?.cpuMicros() ?? 0), 0);
    const before = { nodes: cpu(), database: database.cpu() };
    const calls = await makeCalls(pools, forMs);
    return { node: (cpu() - before.nodes) / calls, database: usedBetween(before.database, database.cpu()) / calls };
  } finally {
    for (const pool of pools) pool.close();
  }
}

/** Resolves to how many were made, once all are answered. */
async function makeCalls(pools: readonly Callers[], forMs: number): Promise<number> {
  const underWay: Promise<void>[] = [];
  await openLoop(RATE, forMs, () => {
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
  readonly one: Costs[] = [];
  readonly four: Costs[] = [];

  /** The last rounds. */
  inWords(last: number): string {
    const part = (name: string, values: readonly number[]) => `${name} ${listed(values.slice(-last))}`;
    return [
      part('SQLite', this.sqlite),
      part('PostgreSQL', this.postgres),
      part('its own', this.database),
      part('bare', this.bare),
      ...(['node', 'database'] as const).flatMap((who) => [
        part(
          `${who} of one`,
          this.one.map((costs) => costs[who]),
        ),
        part(
          `of ${NODES}`,
          this.four.map((costs) => costs[who]),
        ),
      ]),
    ].join(' · ');
  }

  rows(): Row[] {
    const grown = (who: keyof Costs) =>
      this.four.map((costs, round) => costs[who] / (this.one[round]?.[who] ?? Number.NaN));
    const one = (who: keyof Costs) => median(this.one.map((costs) => costs[who])).toFixed(1);
    return [
      { ...row('CPU per call of a node with SQLite, in the same rounds', 'µs', this.sqlite), ...withBare(this) },
      row('CPU per call of a node with PostgreSQL, 64 connections', 'µs', this.postgres),
      {
        ...row('the same ÷ that with SQLite', '', ratiosOf(this.postgres, this.sqlite)),
        target: { type: 'absolute', most: POSTGRES_MOST },
      },
      row('CPU per call of PostgreSQL, 64 connections', 'µs', this.database),
      {
        ...row(
          `CPU per call of ${NODES} nodes ÷ of one (${one('node')} µs), ${RATE} a second in all`,
          '',
          grown('node'),
        ),
        target: { type: 'absolute', most: GROWTH_MOST },
      },
      {
        ...row(
          `CPU per call of PostgreSQL with ${NODES} nodes ÷ with one (${one('database')} µs)`,
          '',
          grown('database'),
        ),
        target: { type: 'absolute', most: GROWTH_MOST },
      },
    ];
  }
}

function ratiosOf(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN));
}

function withBare({ sqlite, bare }: NodeRounds): Pick<Row, 'values' | 'rounds'> {
  if (bare.length === 0) return row('', '', sqlite);
  return { values: { turnpike: median(sqlite), bare: median(bare) }, rounds: { turnpike: sqlite, bare } };
}

function row(work: string, unit: string, rounds: readonly number[]): Row {
  if (rounds.length === 0) return { work, unit, digits: 1, values: {}, rounds: null, target: null };
  const digits = unit === '' ? 2 : 1;
  return { work, unit, digits, values: { turnpike: median(rounds) }, rounds: { turnpike: rounds }, target: null };
}
