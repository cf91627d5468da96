/**
 * How long a 32 MiB body (one image) keeps a subject from everything else: while it is uploaded,
 * another connection asks for /health/live without pause, and the worst wait counts, less the
 * median of the same question with nothing else going on. The probe shares a core with the backend
 * that swallows the body, so the figure is an upper bound.
 */
import { imageRequestBody, wholeAnswer } from '../bodies.ts';
import { Connection, expectSuccess, withHead } from '../load.ts';
import { median } from '../statistics.ts';
import type { Subject } from '../subjects.ts';
import type { Bench, Row } from './measure.ts';
import { inRounds } from './rounds.ts';

const BODY_BYTES = 32 * 1024 * 1024;
const PROBES_BEFORE = 200;

export async function measureBody(bench: Bench): Promise<Row[]> {
  const body = imageRequestBody(BODY_BYTES);
  const rounds = bench.quick ? 3 : 9;
  for (const subject of bench.subjects) await run(subject, body);
  const { values, spreads } = await inRounds(bench, rounds, 'longest wait beside a 32 MiB body, ms', (subject) =>
    run(subject, body),
  );
  return [
    {
      work: 'longest wait of others beside a 32 MiB body, relayed',
      unit: 'ms',
      digits: 1,
      values,
      spreads,
      target: { type: 'absolute', most: 10 },
    },
  ];
}

/** Milliseconds that the worst probe waited longer than usual. */
async function run(subject: Subject, body: Buffer): Promise<number> {
  const probe = await Connection.open(subject.port);
  const upload = await Connection.open(subject.port);
  const question = Buffer.from(`GET /health/live HTTP/1.1\r\nhost: 127.0.0.1:${subject.port}\r\n\r\n`);
  const ask = async () => {
    const startMs = performance.now();
    await probe.call(question);
    return performance.now() - startMs;
  };
  try {
    const usual: number[] = [];
    for (let index = 0; index < PROBES_BEFORE; index += 1) usual.push(await ask());
    let uploading = true;
    const answer = upload.call(withHead(subject, 'openai-chat', body)).finally(() => {
      uploading = false;
    });
    let worstMs = 0;
    while (uploading) worstMs = Math.max(worstMs, await ask());
    expectSuccess(subject, await answer, wholeAnswer('openai-chat').length - 64);
    return worstMs - median(usual);
  } finally {
    probe.close();
    upload.close();
  }
}
