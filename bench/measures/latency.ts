/**
 * What a subject adds to the time of the first token when nothing else runs: one stream at a time,
 * each subject and the backend itself in turn, and the difference of the percentiles.
 */
import { CHAT } from '../dialects.ts';
import { Connection, checkAnswer, expectSuccess, requestBytes } from '../load/load.ts';
import { quantile } from '../statistics.ts';
import type { Subject, SubjectName } from '../subject.ts';
import { direct } from '../subjects.ts';
import type { Bench, Row } from './measure.ts';

const WARM_UP = 300;

export async function measureLatency(bench: Bench): Promise<Row[]> {
  const straight = await Lane.open(direct(bench.backend));
  const lanes: Lane[] = [];
  for (const subject of bench.subjects) {
    await checkAnswer(subject, CHAT, 'brief');
    lanes.push(await Lane.open(subject));
  }
  const streams = bench.quick ? 300 : 2_000;
  bench.say(`first token: ${streams} streams one at a time`);
  for (let index = -WARM_UP; index < streams; index += 1) {
    for (const lane of [straight, ...lanes]) await lane.stream(index >= 0);
  }
  for (const lane of [straight, ...lanes]) lane.close();
  return [row(straight, lanes, 0.5, 'median', 0.5), row(straight, lanes, 0.99, '99th percentile', null)];
}

function row(straight: Lane, lanes: readonly Lane[], fraction: number, label: string, targetMs: number | null): Row {
  const base = quantile(straight.firstTokenMs, fraction);
  const values: Partial<Record<SubjectName, number>> = {};
  for (const lane of lanes) {
    if (lane.subject.name !== 'direct') values[lane.subject.name] = quantile(lane.firstTokenMs, fraction) - base;
  }
  return {
    work: `added first-token latency, unloaded, ${label} (${base.toFixed(2)} ms without anything between)`,
    unit: 'ms',
    digits: 2,
    values,
    rounds: null,
    target: targetMs === null ? null : { type: 'absolute', most: targetMs },
  };
}

class Lane {
  readonly subject: Subject;
  readonly firstTokenMs: number[] = [];
  readonly #connection: Connection;
  readonly #request: Buffer;

  private constructor(subject: Subject, connection: Connection) {
    this.subject = subject;
    this.#connection = connection;
    this.#request = requestBytes(subject, CHAT, 'brief');
  }

  static async open(subject: Subject): Promise<Lane> {
    return new Lane(subject, await Connection.open(subject.port));
  }

  async stream(counts: boolean): Promise<void> {
    let firstTokenMs = 0;
    const startMs = performance.now();
    const answered = await this.#connection.call(this.#request, () => {
      firstTokenMs = performance.now() - startMs;
    });
    expectSuccess(this.subject, answered, 100);
    if (counts) this.firstTokenMs.push(firstTokenMs);
  }

  close(): void {
    this.#connection.close();
  }
}
