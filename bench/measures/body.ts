/**
 * How long a 32 MiB body (one image) keeps a subject from everything else, seen from two sides.
 * From inside: the longest time the event loop of a Node program did not turn. From outside: while
 * the body is uploaded, another connection asks for /health/live without pause, and the worst wait
 * counts, less the median wait with nothing else going on. The outside figure has in it that the
 * counts, less the median wait with nothing else running. The outside figure includes that the
 */

import { imageRequestBody, translatedModel, wholeAnswer } from '../bodies.ts';
import { CHAT } from '../dialects.ts';
import { Connection, expectSuccess, withHead } from '../load/load.ts';
import { median } from '../statistics.ts';
import type { Subject, SubjectName } from '../subject.ts';
import type { Bench, Row } from './measure.ts';

const BODY_BYTES = 32 * 1024 * 1024;
const PROBES_BEFORE = 200;
const WARM_UPS = 2;

export async function measureBody(bench: Bench): Promise<Row[]> {
  const uploads = bench.quick ? 5 : 15;
  const relayed = await uploadToAll(bench, imageRequestBody(BODY_BYTES), uploads, 'relayed');
  const gateways = bench.subjects.filter(({ name }) => name === 'turnpike');
  const image = imageRequestBody(BODY_BYTES, translatedModel(CHAT, 'whole'));
  const translated = await uploadToAll({ ...bench, subjects: gateways }, image, uploads, 'translated');
  return [
    {
      work: 'event-loop block by a 32 MiB body, relayed',
      unit: 'ms',
      digits: 1,
      values: relayed.blocks,
      rounds: null,
      target: { type: 'absolute', most: 10 },
    },
    {
      work: 'longest wait of another caller during that body',
      unit: 'ms',
      digits: 1,
      values: relayed.waits,
      rounds: null,
      target: null,
    },
    {
      work: 'event-loop block by a 32 MiB body, translated',
      unit: 'ms',
      digits: 1,
      values: translated.blocks,
      rounds: null,
      target: { type: 'absolute', most: 60 },
    },
  ];
}

/** Milliseconds, the median of the uploads. */
interface Pauses {
  readonly blocks: Partial<Record<SubjectName, number>>;
  readonly waits: Partial<Record<SubjectName, number>>;
}

async function uploadToAll(bench: Bench, body: Buffer, uploads: number, lane: string): Promise<Pauses> {
  const blocks: Partial<Record<SubjectName, number>> = {};
  const waits: Partial<Record<SubjectName, number>> = {};
  for (const { name } of bench.subjects) {
    if (name === 'direct') continue;
    const subject = await bench.startFresh(name, { watchLoop: true });
    try {
      const seen: Seen[] = [];
      for (let index = 0; index < WARM_UPS + uploads; index += 1) seen.push(await upload(subject, body));
      const counted = seen.slice(WARM_UPS);
      waits[name] = median(counted.map((one) => one.waitMs));
      if (subject.loopWorstMs === null) continue;
      blocks[name] = median(counted.map((one) => one.blockMs));
      bench.say(
        `32 MiB body, ${lane}, ${name}: loop blocked ${counted.map((one) => one.blockMs.toFixed(1)).join(' ')} ms, ` +
          `${median(counted.map((one) => one.restMs)).toFixed(1)} without it`,
      );
    } finally {
      await subject.stop();
    }
  }
  return { blocks, waits };
}

interface Seen {
  /** The loop's longest pause just before, with only small requests to answer: the machine's own share. */
  readonly restMs: number;
  /** 0 for a subject whose loop cannot be watched. */
  readonly blockMs: number;
  readonly waitMs: number;
}

async function upload(subject: Subject, body: Buffer): Promise<Seen> {
  const probe = await Connection.open(subject.port);
  const uploading = await Connection.open(subject.port);
  const question = Buffer.from(`GET /health/live HTTP/1.1\r\nhost: 127.0.0.1:${subject.port}\r\n\r\n`);
  const ask = async () => {
    const startMs = performance.now();
    await probe.call(question);
    return performance.now() - startMs;
  };
  try {
    const usualMs: number[] = [];
    for (let index = 0; index < PROBES_BEFORE; index += 1) usualMs.push(await ask());
    const restMs = (await subject.loopWorstMs?.()) ?? 0;
    let ended = false;
    const answer = uploading.call(withHead(subject, CHAT, body)).finally(() => {
      ended = true;
    });
    let worstMs = 0;
    while (!ended) worstMs = Math.max(worstMs, await ask());
    expectSuccess(subject, await answer, wholeAnswer(CHAT).length - 64);
    return { restMs, blockMs: (await subject.loopWorstMs?.()) ?? 0, waitMs: worstMs - median(usualMs) };
  } finally {
    probe.close();
    uploading.close();
  }
}
