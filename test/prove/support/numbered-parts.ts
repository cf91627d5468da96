/**
 * Every paid operation besides conversations, with what it is charged by: its price, a request that has a number, and an answer whose usage
 * makes the number known in the settlement. A new operation has to be here, or nothing compiles.
 */
import { PNG } from '../../../src/dialects/kit/media/media-fixture.ts';
import { usualPartPaths } from '../../../src/dialects/openai-chat/operations/index.ts';
import { operations } from '../../../src/operations/index.ts';
import { FormWriter, LINE_BREAK } from '../../../src/wire/multipart/form-writer.ts';
import type { SettledCall } from './ledger-file.ts';

export type PartName = keyof typeof usualPartPaths;

export interface NumberedPart {
  /** As in the configuration. */
  readonly prices: object;
  readonly outputModalities: readonly string[];
  /** `tag` has the number, for the provider. */
  ask(model: string, number: number, tag: string): { readonly body: Buffer; readonly type: string };
  answer(number: number): { readonly body: Buffer; readonly type: string };
  /** Which call a settlement with a reported usage belongs to. */
  numberIn(settled: SettledCall): number;
  /** Nano-USD; the most, too, for a call that was cut. */
  chargeOf(number: number): bigint;
}

export const partNames = Object.keys(usualPartPaths) as readonly PartName[];

/** The path at the gateway. */
export function partPath(name: PartName): string {
  return `/api${usualPartPaths[name]}`;
}

export function partOfPath(path: string): PartName {
  const found = partNames.find((name) => path === usualPartPaths[name]);
  if (found === undefined) throw new Error(`no operation has the path ${path}`);
  return found;
}

/** Those are called in many formats, by `numbered-calls.ts`. */
const CONVERSATIONS: ReadonlySet<string> = new Set(['chat', 'compact']);

/** Every operation that is paid for is in a race and a kill loop: conversations in their own, the rest here. */
export const missingOperations: readonly string[] = Object.values(operations)
  .filter(({ isPaid, name }) => isPaid && !CONVERSATIONS.has(name) && !Object.hasOwn(usualPartPaths, name))
  .map(({ name }) => name);

/** Nano-USD a token, at $1 and $5 a million. */
const INPUT_NANO = 1_000n;
const OUTPUT_NANO = 5_000n;
const PROMPT_TOKENS = 11;
const IMAGE_NANO = 1_000_000n;
const SEARCH_NANO = 2_000_000n;
const CHARACTER_NANO = 10_000n;
const SECOND_NANO = 100_000n;
/** Characters around the number of what is spoken. */
const SPOKEN_MIN = 100;
/** The bytes that a second of sound is held for by. */
const BYTES_PER_SECOND = 1_000;

const json = (value: object) => ({ body: Buffer.from(JSON.stringify(value)), type: 'application/json' });
const inputOf = ({ inputTokens }: SettledCall) => inputTokens;
const outputOf = ({ outputTokens }: SettledCall) => outputTokens;
/** A prompt of no fewer bytes than the tokens that are reported for it. */
const long = (tag: string, number: number) => `${tag}${'x'.repeat(number)}`;
const imagesOf = (number: number) => 1 + (number % 3);
const data = (number: number) => Array.from({ length: imagesOf(number) }, () => ({ b64_json: 'iVBORw0KGgo=' }));

const images = {
  prices: { input: 1, output: 5, units: { image: 0.001 } },
  outputModalities: ['image'],
  answer: (number: number) =>
    json({ created: 1, data: data(number), usage: { input_tokens: PROMPT_TOKENS, output_tokens: number } }),
  numberIn: outputOf,
  chargeOf: (number: number) =>
    BigInt(PROMPT_TOKENS) * INPUT_NANO + BigInt(number) * OUTPUT_NANO + BigInt(imagesOf(number)) * IMAGE_NANO,
};

const recordings: NumberedPart = {
  prices: { units: { second: 0.0001 } },
  outputModalities: ['transcription'],
  // The file comes first: then all of the form is read before it is sent.
  ask: (model, number, tag) =>
    form([
      { name: 'file', fileName: 'a.mp3', bytes: Buffer.alloc(number * BYTES_PER_SECOND) },
      { name: 'prompt', bytes: Buffer.from(tag) },
      { name: 'model', bytes: Buffer.from(model) },
    ]),
  answer: (number) => json({ text: 'Hi', usage: { type: 'duration', seconds: number } }),
  numberIn: ({ units }) => units,
  chargeOf: (number) => BigInt(number) * SECOND_NANO,
};

const judged = {
  prices: { input: 1, output: 0 },
  numberIn: inputOf,
  ask: (model: string, number: number, tag: string) => json({ model, input: long(tag, number) }),
  chargeOf: (number: number) => BigInt(number) * INPUT_NANO,
};

export const numberedParts: Readonly<Record<PartName, NumberedPart>> = {
  completions: {
    prices: { input: 1, output: 5 },
    outputModalities: ['text'],
    ask: (model, number, tag) => json({ model, prompt: tag, max_tokens: number }),
    answer: (number) =>
      json({
        ...{ id: 'cmpl-numbered', object: 'text_completion', created: 1, model: 'numbered' },
        choices: [{ index: 0, text: 'Hi', finish_reason: 'stop', logprobs: null }],
        usage: { prompt_tokens: PROMPT_TOKENS, completion_tokens: number, total_tokens: PROMPT_TOKENS + number },
      }),
    numberIn: outputOf,
    chargeOf: (number) => BigInt(PROMPT_TOKENS) * INPUT_NANO + BigInt(number) * OUTPUT_NANO,
  },
  embeddings: {
    ...judged,
    outputModalities: ['embeddings'],
    answer: (number) =>
      json({
        ...{ object: 'list', model: 'numbered', data: [{ object: 'embedding', index: 0, embedding: [0.5] }] },
        usage: { prompt_tokens: number, total_tokens: number },
      }),
  },
  moderations: {
    ...judged,
    outputModalities: ['moderation'],
    answer: (number) => json({ id: 'modr-1', results: [{ flagged: false }], usage: { prompt_tokens: number } }),
  },
  rerank: {
    prices: { input: 1, output: 0, units: { search: 0.002 } },
    outputModalities: ['rerank'],
    ask: (model, number, tag) => json({ model, query: tag, documents: [long('', number)] }),
    answer: (number) =>
      json({
        results: [{ index: 0, relevance_score: 0.5 }],
        usage: { total_tokens: number, search_units: 1 },
      }),
    numberIn: inputOf,
    chargeOf: (number) => BigInt(number) * INPUT_NANO + SEARCH_NANO,
  },
  images: {
    ...images,
    ask: (model, number, tag) => json({ model, prompt: tag, n: imagesOf(number) }),
  },
  image_edits: {
    ...images,
    ask: (model, number, tag) =>
      form([
        ...[PNG, PNG].map((bytes) => ({ name: 'image[]', fileName: 'a.png', type: 'image/png', bytes })),
        { name: 'model', bytes: Buffer.from(model) },
        { name: 'prompt', bytes: Buffer.from(tag) },
        { name: 'n', bytes: Buffer.from(String(imagesOf(number))) },
      ]),
  },
  speech: {
    prices: { units: { character: 0.00001 } },
    outputModalities: ['audio'],
    ask: (model, number, tag) => json({ model, voice: 'alloy', input: tag.padEnd(SPOKEN_MIN + number, 'x') }),
    answer: () => ({ body: Buffer.alloc(3_000, 1), type: 'audio/mpeg' }),
    numberIn: ({ units }) => units - SPOKEN_MIN,
    chargeOf: (number) => BigInt(SPOKEN_MIN + number) * CHARACTER_NANO,
  },
  transcriptions: recordings,
  translations: recordings,
};

/** Providers with a model for each. */
export function partProviders(origin: string): readonly object[] {
  return partNames.map((name) => ({
    ...{ name: `part-${name.replace('_', '-')}`, kind: 'custom', origin, credential: `credential-of-${name}` },
    dialects: ['openai-chat'],
    models: [modelOf(name)],
  }));
}

function modelOf(name: PartName): object {
  const { prices, outputModalities } = numberedParts[name];
  const inputModalities = name === 'image_edits' ? ['text', 'image'] : ['text'];
  return { id: partModel(name), upstream: name, prices, outputModalities, inputModalities };
}

export function partModel(name: PartName): string {
  return `part/${name}`;
}

interface Part {
  readonly name: string;
  readonly fileName?: string;
  readonly type?: string;
  readonly bytes: Buffer;
}

function form(parts: readonly Part[]): { readonly body: Buffer; readonly type: string } {
  const writer = new FormWriter();
  const written = parts.flatMap(({ name, fileName, type = null, bytes }) =>
    fileName === undefined
      ? [writer.field({ name, value: bytes })]
      : [writer.file({ name, fileName, contentType: type }), bytes, LINE_BREAK],
  );
  return { body: Buffer.concat([...written, writer.end()]), type: writer.contentType };
}
