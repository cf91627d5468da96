/** Judges whether stages of work grow with the bytes that they are given, no faster, and below a limit per byte. */
import assert from 'node:assert/strict';
import { seeded } from '../prove/support/seeded.ts';
import type { WorkCounter } from './count-work.ts';
import type { Random } from './hostile-values.ts';
import { SHARED, type Stages } from './stages.ts';

export const WORK_SEED = Number(process.env['TURNPIKE_WORK_SEED'] ?? 17);
export const WORK_SIZE = 500;
/** Enough to see a square in a sample. */
export const SAMPLE_SIZE = 250;
export const FACTOR = 4;
/** Measured growth of linear work: one-time work, and steps of doubling buffers. */
export const SLACK = 1.3;
const STEPS_A_BYTE_MAX = 30;
/** Whatever the size. */
const STEPS_ONCE = 60_000;

/** A body of some size, and what is done with it. */
export interface Hostile<Dialect> {
  readonly dialect: Dialect;
  /** The same `random` gives the same body, but for its size. */
  write(random: Random, size: number): string | Buffer;
  stages(bytes: Buffer, dialect: Dialect): Stages;
}

/** `at`: the how-many-eth stage it is, from 0. */
export type ChooseStage = (name: string, at: number) => boolean;

/** Fails with the figures of each stage that is chosen and works too much for a body of `FACTOR` times `size`. Returns the most steps per byte. */
export async function judge<Dialect>(
  counter: WorkCounter,
  { dialect, write, stages }: Hostile<Dialect>,
  seed: number,
  size: number,
  isChosen: ChooseStage = () => true,
): Promise<number> {
  const made = (units: number): Body => {
    const written = write(seeded(seed), units);
    const bytes = typeof written === 'string' ? Buffer.from(written) : written;
    return { bytes, stages: stages(bytes, dialect), ran: new Set() };
  };
  const [small, large] = [made(size), made(FACTOR * size)];
  let larger: Body | null = null;
  const bad: string[] = [];
  let mostPerByte = 0;
  for (const [at, name] of Object.keys(large.stages).entries()) {
    if (!isChosen(name, at)) continue;
    const many = await stepsOf(counter, large, name);
    const figures = [`${Math.round(many)} steps for ${large.bytes.length} bytes`];
    const isDear = many > STEPS_A_BYTE_MAX * large.bytes.length + STEPS_ONCE;
    // A count takes milliseconds. With so few steps, no number of steps for the small body could show growth.
    const few = many <= stepsMax(0, small, large) ? null : await stepsOf(counter, small, name);
    if (few !== null) figures.unshift(`${Math.round(few)} for ${small.bytes.length}`);
    const grows = few !== null && many > stepsMax(few, small, large) && (await growsOn(name, many));
    const line = `${name}: ${figures.join(', ')}`;
    if (isDear || grows) bad.push(line);
    mostPerByte = Math.max(mostPerByte, many / large.bytes.length);
    if (process.env['TURNPIKE_WORK_FIGURES'] !== undefined) console.log(line, (many / large.bytes.length).toFixed(1));
  }
  assert.deepEqual(bad, [], `again with TURNPIKE_WORK_SEED=${seed}`);
  return mostPerByte;

  /** Between the two sizes another path may begin, more expensive per byte (`WholeAnswer.isShort`): only superlinear work keeps growing. */
  async function growsOn(name: string, many: number): Promise<boolean> {
    larger ??= made(FACTOR * FACTOR * size);
    return (await stepsOf(counter, larger, name)) > stepsMax(many, large, larger);
  }
}

interface Body {
  readonly bytes: Buffer;
  readonly stages: Stages;
  /** The stages that have run. */
  readonly ran: Set<string>;
}

/** Steps of one stage. The earlier ones on whose results it works run first. */
async function stepsOf(counter: WorkCounter, { stages, ran }: Body, name: string): Promise<number> {
  const names = Object.keys(stages);
  const earlier = names.slice(0, names.indexOf(name)).filter((other) => SHARED.has(other) && !ran.has(other));
  for (const other of earlier) await counter.warm(() => stages[other]?.());
  if (earlier.length > 0) await counter.forget();
  for (const done of [...earlier, name]) ran.add(done);
  return counter.of(() => stages[name]?.());
}

/** The most steps for the larger body when work grows as the bytes do. */
function stepsMax(few: number, smaller: Body, larger: Body): number {
  return (SLACK * few * larger.bytes.length) / smaller.bytes.length + STEPS_ONCE + larger.bytes.length;
}
