/**
 * Goal: nobody makes the gateway work more than in proportion to what they send: no request, and no provider's answer.
 * Method: random bodies from a grammar of what is repeated and nested (`linear/hostile-*.ts`), each in two sizes; what every
 * stage does with them is counted (`linear/count-work.ts`), not timed. Four times the size may take four times the work, with a limit per byte.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { StopMatcher } from '../src/chat/stop-matcher.ts';
import { callerDialects, providerDialects } from '../src/dialects/index.ts';
import { WorkCounter } from './linear/count-work.ts';
import { ANSWER_FAMILIES } from './linear/hostile-answers.ts';
import { REQUEST_FAMILIES } from './linear/hostile-requests.ts';
import { ANSWER_STAGES, REQUEST_STAGES, STREAM_STAGES, type Stage } from './linear/stages.ts';
import { seeded } from './prove/support/seeded.ts';

const SEED = Number(process.env['TURNPIKE_WORK_SEED'] ?? 17);
const SIZE = 500;
const FACTOR = 4;
/** Measured growth of linear work: one-time work, and steps of doubling buffers. */
const SLACK = 1.3;
const STEPS_A_BYTE_MAX = 30;
/** Whatever the size. */
const STEPS_ONCE = 60_000;

const counter = new WorkCounter();
before(() => counter.open());
after(() => counter.close());

describe('requests', () => {
  for (const { name, dialect, write } of REQUEST_FAMILIES)
    test(`${dialect}: ${name}`, () => judge(write, REQUEST_STAGES, callerDialects[dialect]));
});

describe('answers', () => {
  for (const { name, dialect, isStream, write } of ANSWER_FAMILIES)
    test(`${dialect}${isStream ? ', a stream' : ''}: ${name}`, () =>
      judge(write, isStream ? STREAM_STAGES : ANSWER_STAGES, providerDialects[dialect]));
});

/** The text keeps almost becoming the long one; a released character is followed by another that waits. */
const STOPS = [`${'a'.repeat(2_000)}b`, 'aac', 'caa', 'ba'];
const ALMOST: readonly (readonly [string, (at: number) => string])[] = [
  ['a letter at a time', () => 'a'],
  ['in pieces that end in a beginning', (at) => (at % 3 === 0 ? 'xca' : 'xaa')],
];

describe('stop sequences', () => {
  for (const [name, piece] of ALMOST)
    test(`are looked for in work in proportion to the text, ${name}`, async () => {
      const search = (pieces: number) => () => {
        const matcher = new StopMatcher(STOPS);
        for (let at = 0; at < pieces; at += 1) matcher.push(piece(at));
        matcher.flush();
      };
      await counter.warm(search(8_000));
      await counter.forget();
      const few = await counter.of(search(8_000));
      const many = await counter.of(search(8_000 * FACTOR));
      assert.ok(many < SLACK * FACTOR * few, `${few} steps, ${many} for ${FACTOR} times the text`);
    });
});

async function judge<Dialect>(
  write: (random: () => number, size: number) => string | Buffer,
  stages: Readonly<Record<string, Stage<Dialect>>>,
  dialect: Dialect,
): Promise<void> {
  const small = bytesOf(write(seeded(SEED), SIZE));
  const large = bytesOf(write(seeded(SEED), FACTOR * SIZE));
  const bad: string[] = [];
  // The first run is not counted: code is compiled then.
  for (const stage of Object.values(stages)) await counter.warm(() => stage(small, dialect));
  await counter.forget();
  for (const [name, stage] of Object.entries(stages)) {
    const few = await counter.of(() => stage(small, dialect));
    const many = await counter.of(() => stage(large, dialect));
    const figures = `${name}: ${Math.round(few)} steps for ${small.length} bytes, ${Math.round(many)} for ${large.length}`;
    const isDear = many > STEPS_A_BYTE_MAX * large.length + STEPS_ONCE;
    if (isDear || (grows(few, small, many, large) && (await growsOn(stage, many)))) bad.push(figures);
    if (process.env['TURNPIKE_WORK_FIGURES'] !== undefined) console.log(figures, (many / large.length).toFixed(1));
  }
  assert.deepEqual(bad, [], `again with TURNPIKE_WORK_SEED=${SEED}`);

  /** Between the two sizes another path may begin, more expensive per byte (`WholeAnswer.isShort`): only superlinear work keeps growing. */
  async function growsOn(stage: Stage<Dialect>, many: number): Promise<boolean> {
    const larger = bytesOf(write(seeded(SEED), FACTOR * FACTOR * SIZE));
    return grows(many, large, await counter.of(() => stage(larger, dialect)), larger);
  }
}

function bytesOf(written: string | Buffer): Buffer {
  return typeof written === 'string' ? Buffer.from(written) : written;
}

/** Whether work grows by more than the bytes do. */
function grows(few: number, small: Buffer, many: number, large: Buffer): boolean {
  return many > (SLACK * few * large.length) / small.length + STEPS_ONCE + large.length;
}
