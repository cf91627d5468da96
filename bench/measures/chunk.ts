/**
 * CPU time of a relayed chunk: 64 streams at once, one event a packet, a packet of each stream
 * every 8 ms, so that every subject does the same work at the same pace. The figure includes what
 * opening and ending a stream costs, spread over its 300 chunks.
 */

import { pacedChunks, streamEvents } from '../bodies.ts';
import { type DialectName, dialects } from '../dialects.ts';
import { callRepeatedly, checkAnswer, expectSuccess, type Lane, openConnections, requestBytes } from '../load/load.ts';
import type { Subject } from '../subject.ts';
import type { Bench, Row } from './measure.ts';
import { inRounds, inStarts, medians, type Rounds, repeats, wordsOf } from './rounds.ts';

const STREAMS = 64;
/**
 * V8 keeps compiling what runs often, up to some 80,000 chunks. A round opens and ends so few streams that
 * the code for that would stay interpreted in all of them: short streams come first.
 */
const WARM_UP = { shortStreams: 20_000, streams: 128, runs: 2 };
/** Below this share of pieces, chunks were merged on the way and the figure would flatter: the round is repeated. */
const SEPARATE_MIN = 0.9;
const ATTEMPTS = 30;
/** A stream with fewer bytes than this share of the caller's format lacks chunks: in translation they get shorter. */
const BYTES_SHARE_MIN = 0.5;

/** nginx and the bare proxy pass bytes in both. */
const LANES: readonly { readonly lane: Lane; readonly words: string }[] = [
  { lane: 'relay', words: 'same dialect' },
  { lane: 'translate', words: 'translated' },
];

export async function measureChunks(bench: Bench): Promise<Row[]> {
  const { starts, rounds: count } = repeats(bench);
  const works = LANES.flatMap(({ lane, words }) =>
    dialects.map((dialect) => ({
      lane,
      dialect,
      work: `CPU per streamed chunk, ${dialect}, ${words}`,
      rounds: {} as Rounds,
    })),
  );
  await inStarts(bench, starts, async (subjects, words) => {
    for (const each of works) {
      const { lane, dialect, work } = each;
      for (const subject of subjects) {
        await checkAnswer(subject, dialect, 'brief');
        await warmUpChunks(subject, dialect, lane, bench.quick);
      }
      each.rounds = await inRounds(bench, subjects, count, each.rounds, (subject) =>
        measureChunk(subject, dialect, lane),
      );
      bench.say(`${work}, ${words}: ${wordsOf(each.rounds, count)}`);
    }
  });
  return works.map(({ work, rounds }) => ({
    work,
    unit: 'µs',
    digits: 1,
    values: medians(rounds),
    rounds,
    target: null,
  }));
}

/** What V8 must have compiled before chunks are measured. */
export async function warmUpChunks(subject: Subject, dialect: DialectName, lane: Lane, quick: boolean): Promise<void> {
  const connections = await openConnections(subject.port, STREAMS);
  try {
    const request = requestBytes(subject, dialect, 'brief', lane);
    const streams = quick ? WARM_UP.shortStreams / 4 : WARM_UP.shortStreams;
    await callRepeatedly(connections, request, streams, (answered) => expectSuccess(subject, answered, 1));
  } finally {
    for (const connection of connections) connection.close();
  }
  for (let run = 0; run < (quick ? 1 : WARM_UP.runs); run += 1)
    await attemptRun(subject, dialect, lane, WARM_UP.streams);
}

/** Microseconds of CPU per chunk. */
export async function measureChunk(subject: Subject, dialect: DialectName, lane: Lane): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const micros = await attemptRun(subject, dialect, lane, STREAMS);
    if (micros !== null) return micros;
  }
  throw new Error(`${subject.name} merged chunks in each of ${ATTEMPTS} rounds: the machine is too busy to measure`);
}

/** Null if chunks were merged, as happens when something else occupied a core for some milliseconds. */
async function attemptRun(subject: Subject, dialect: DialectName, lane: Lane, streams: number): Promise<number | null> {
  if (subject.process === null) throw new Error('only a process has CPU time');
  const request = requestBytes(subject, dialect, 'paced', lane);
  const [repeated] = streamEvents(dialect, 'paced').repeated;
  const bytesMin = repeated.length * pacedChunks * BYTES_SHARE_MIN;
  const connections = await openConnections(subject.port, streams);
  let pieces = 0;
  try {
    const before = subject.process.cpuMicros();
    await callRepeatedly(connections, request, streams, (answered) => {
      expectSuccess(subject, answered, bytesMin);
      pieces += answered.pieces;
    });
    const used = subject.process.cpuMicros() - before;
    const chunks = streams * pacedChunks;
    return pieces < chunks * SEPARATE_MIN ? null : used / chunks;
  } finally {
    for (const connection of connections) connection.close();
  }
}
