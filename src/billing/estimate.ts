/**
 * What a call consumed if the provider did not report it: counted by the gateway, and marked as such. Exact if the meter
 * knows the model's tokenizer, otherwise from the bytes of text.
 */
import type { Target } from '../catalog/model.ts';
import { NO_USAGE, type Usage } from '../core/usage.ts';

/** The size of a prompt; a dialect's `Peek` has these fields. */
export interface PromptSize {
  /**
   * Messages, instructions and tools as JSON: its marks take about as many tokens as those that a model's template uses
   * instead.
   */
  readonly promptBytes: number;
  /** `audioTokens` is an upper limit. */
  readonly media: { readonly images: number; readonly audioTokens: number; readonly fileCharacters: number };
}

/** What a meter saw of the answer. */
export interface AnswerSize {
  readonly outputBytes: number;
  readonly outputTokens: number | null;
  /** Seen in the answer; absent for none. */
  readonly toolUses?: Pick<Usage, 'webSearches' | 'fileSearches' | 'codeContainers'>;
  /** Of sound, in addition; absent if none. */
  readonly audioTokens?: number;
  readonly units?: Pick<Usage, 'units' | 'unitLine'>;
}

/** Estimates what `target` counts for this prompt and the answer so far; within 10 % for English text. */
export function countUsage(
  prompt: PromptSize,
  answer: AnswerSize,
  target: Pick<Target, 'upstreamModel' | 'tokenizer'>,
): Usage {
  const bytesPerToken = bytesPerTokenOf(target);
  const { images, audioTokens, fileCharacters } = prompt.media;
  const media =
    images * IMAGE_TOKENS +
    Math.ceil(audioTokens / AUDIO_SLACK) +
    Math.ceil(fileCharacters / FILE_CHARACTERS_PER_TOKEN);
  return {
    ...NO_USAGE,
    ...answer.toolUses,
    ...answer.units,
    inputTokens: Math.ceil(prompt.promptBytes / bytesPerToken) + media,
    inputImageTokens: images * IMAGE_TOKENS,
    outputAudioTokens: answer.audioTokens ?? 0,
    outputTokens: answer.outputTokens ?? Math.ceil(answer.outputBytes / bytesPerToken),
  };
}

/** For English, measured on answers whose tokens the vendor reported. */
const BYTES_PER_TOKEN: readonly (readonly [name: RegExp, bytes: number])[] = [
  [/claude/, 4.1],
  [/gemini|gemma/, 4.8],
  [/gpt-|^o\d/, 4.5],
];
const BYTES_PER_TOKEN_OF_OTHERS = 4.3;
/** A word and the space before it. */
const BYTES_PER_WORD = 6;
/** An image of one megapixel: 765 tokens at OpenAI, about 1,300 at Anthropic. */
const IMAGE_TOKENS = 1000;
/** For a PDF in base64: a page costs about 3,000 tokens and is seldom smaller than 45 kB. */
const FILE_CHARACTERS_PER_TOKEN = 20;
/** How many times longer the longest audio of a given size lasts than ordinary audio. */
const AUDIO_SLACK = 16;

function bytesPerTokenOf({ upstreamModel, tokenizer }: Pick<Target, 'upstreamModel' | 'tokenizer'>): number {
  if (tokenizer === 'words') return BYTES_PER_WORD;
  for (const [name, bytes] of BYTES_PER_TOKEN) if (name.test(upstreamModel)) return bytes;
  return BYTES_PER_TOKEN_OF_OTHERS;
}
