/**
 * Goal: OpenAI's Python package has every operation besides conversations through the gateway as at OpenAI, and each call is charged once.
 * Method: the package itself, in the virtual environment that `npm test` makes; a provider as strict as OpenAI.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { PNG } from '../../src/dialects/kit/media/media-fixture.ts';
import * as completions from '../support/operations/completions.ts';
import * as embeddings from '../support/operations/embeddings.ts';
import { IMAGE } from '../support/operations/images.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';
import { SOUND } from '../support/operations/speech.ts';
import { SECONDS, TEXT } from '../support/operations/transcriptions.ts';

interface Line {
  readonly name: string;
  readonly result?: unknown;
  /** The name of the exception, and its text. */
  readonly error?: string;
  readonly message?: string;
}

interface Python {
  findPython(): { readonly python: string | null; readonly problem: string | null };
}

const setup = join(import.meta.dirname, '..', '..', 'scripts', 'python.mjs');
const { python, problem } = ((await import(pathToFileURL(setup).href)) as Python).findPython();

const MODELS = [
  { id: 'strict/writer', upstream: 'writer', prices: { input: 1, output: 2 }, outputModalities: ['text'] },
  { id: 'strict/vectors', upstream: 'vectors', prices: { input: 1, output: 0 }, outputModalities: ['embeddings'] },
  { id: 'strict/judge', upstream: 'judge', prices: 'free', outputModalities: ['moderation'] },
  {
    ...{ id: 'strict/painter', upstream: 'counted', prices: { input: 5, output: 40 }, contextWindow: 400_000 },
    ...{ inputModalities: ['text', 'image'], outputModalities: ['image'] },
  },
  { id: 'strict/voice', upstream: 'voice', prices: { units: { character: 0.001 } }, outputModalities: ['audio'] },
  {
    ...{ id: 'strict/listener', upstream: 'whisper', prices: { units: { second: 0.0001 } } },
    ...{ inputModalities: ['audio'], outputModalities: ['transcription'] },
  },
];
const sum = (...tokens: number[]) => tokens.reduce((total, count) => total + count, 0);
const ofPrompts = (count: number) => count * sum(completions.TOKENS_OF_PROMPT, completions.TOKENS_OF_ANSWER);
/** Nano-USD of completions with so many prompts, and of images. */
const written = (count: number) =>
  BigInt(count) * BigInt(1_000 * completions.TOKENS_OF_PROMPT + 2_000 * completions.TOKENS_OF_ANSWER);
const painted = (count: number) => BigInt(12 * 5_000 + 100 * count * 40_000);
const HEARD = BigInt(SECONDS) * 100_000n;

const EXPECTED: Readonly<Record<string, { readonly result: object; readonly charge: bigint }>> = {
  completions: {
    result: { texts: [completions.WRITTEN, completions.WRITTEN], total: ofPrompts(2), model: 'strict/writer' },
    charge: written(2),
  },
  'completions, streamed': {
    result: { texts: [completions.WRITTEN], total: ofPrompts(1), model: 'strict/writer' },
    charge: written(1),
  },
  embeddings: {
    result: { vectors: [embeddings.VECTOR, embeddings.VECTOR], total: 2 * embeddings.TOKENS_OF_EACH },
    charge: BigInt(2 * embeddings.TOKENS_OF_EACH) * 1_000n,
  },
  moderations: { result: { flags: [false, true] }, charge: 0n },
  images: { result: { images: [IMAGE, IMAGE], total: 212 }, charge: painted(2) },
  'images, streamed': {
    result: { types: ['image_generation.partial_image', 'image_generation.completed'], total: 112 },
    charge: painted(1),
  },
  'image edits': { result: { images: [IMAGE], total: 112 }, charge: painted(1) },
  speech: {
    result: { sha256: createHash('sha256').update(Buffer.concat(SOUND)).digest('hex') },
    charge: 5n * 1_000_000n,
  },
  transcriptions: { result: { text: TEXT, seconds: SECONDS }, charge: HEARD },
  'transcriptions, streamed': { result: { text: TEXT, pieces: TEXT }, charge: HEARD },
  // Subtitles report nothing: ordinary sound of that many bytes lasts four seconds.
  'transcriptions, as subtitles': { result: { text: TEXT }, charge: 4n * 100_000n },
  translations: { result: { text: TEXT }, charge: HEARD },
};

describe("OpenAI's Python package", { skip: problem ?? false }, () => {
  let bench: OperationsBench;
  let lines: readonly Line[];
  before(async () => {
    bench = await openOperationsBench(MODELS);
    const program = join(import.meta.dirname, 'python', 'call_operations.py');
    const env = {
      ...{ PATH: process.env['PATH'], TURNPIKE_BASE: bench.url, TURNPIKE_TEST_KEY: bench.key },
      ...{ PNG_HEX: PNG.toString('hex'), PYTHONDONTWRITEBYTECODE: '1' },
    };
    const { stdout } = await promisify(execFile)(python ?? '', [program], { env });
    lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  });
  after(() => bench.close());

  for (const [name, { result }] of Object.entries(EXPECTED))
    test(`${name}: the answer is what the provider gave`, () => {
      assert.deepEqual(
        lines.find((line) => line.name === name),
        { name, result },
      );
    });

  test('each call is charged once, by what was reported, or else by the estimate', () => {
    assert.deepEqual(
      bench.records.filter(({ charge }) => charge !== null).map(({ charge }) => charge),
      Object.values(EXPECTED).map(({ charge }) => charge),
    );
  });

  test('a refusal is the error of the package, and says which models are for it', () => {
    const { error, message } = lines.at(-1) ?? assert.fail('the program has printed lines');
    assert.equal(error, 'BadRequestError');
    assert.match(message ?? '', /output_modalities=embeddings/);
  });
});
