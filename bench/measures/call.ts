/** CPU time of a whole, non-streamed call: 0.3 kB in, 1 kB out, over 64 busy connections. */
import { wholeAnswer } from '../bodies.ts';
import { callRepeatedly, checkAnswer, expectSuccess, openConnections, requestBytes } from '../load.ts';
import type { Subject } from '../subjects.ts';
import type { Bench, Row } from './measure.ts';
import { inRounds, medians } from './rounds.ts';

const CONNECTIONS = 64;
const FIRST_WARM_UP = 20_000;
const WARM_UP = 2_000;
const CALLS = 20_000;

export async function measureCalls(bench: Bench): Promise<Row[]> {
  const calls = bench.quick ? 8_000 : CALLS;
  for (const subject of bench.subjects) {
    await checkAnswer(subject, 'openai-chat', 'whole');
    await run(subject, bench.quick ? 8_000 : FIRST_WARM_UP, 1);
  }
  const rounds = await inRounds(bench, bench.quick ? 3 : 9, 'CPU per call', (subject) => run(subject, WARM_UP, calls));
  return [
    {
      work: 'CPU per non-streamed call, 0.3 kB in, 1 kB out',
      unit: 'µs',
      digits: 1,
      values: medians(rounds),
      rounds,
      target: { type: 'times-nginx', most: 4 },
    },
  ];
}

/** Microseconds of CPU per call. */
async function run(subject: Subject, warmUp: number, calls: number): Promise<number> {
  if (subject.process === null) throw new Error('only a process has CPU time');
  const request = requestBytes(subject, 'openai-chat', 'whole');
  const bytes = wholeAnswer('openai-chat').length;
  const connections = await openConnections(subject.port, CONNECTIONS);
  try {
    await callRepeatedly(connections, request, warmUp, (answered) => expectSuccess(subject, answered, bytes - 64));
    const before = subject.process.cpuMicros();
    await callRepeatedly(connections, request, calls, (answered) => expectSuccess(subject, answered, bytes - 64));
    return (subject.process.cpuMicros() - before) / calls;
  } finally {
    for (const connection of connections) connection.close();
  }
}
