/**
 * What a call consumed when the provider did not say: counted by the gateway, and marked so. Exact where the model's
 * tokenizer is known to the meter, else from the bytes of text.
 */
import type { Target } from '../catalog/model.ts';
import { NO_USAGE, type Usage } from '../core/usage.ts';

/** What was asked; a dialect's `Peek` says it. */
export interface PromptSize {
  /** Messages, instructions and tools as JSON: its marks are about as many tokens as those a model's template puts in their place. */
  readonly promptBytes: number;
  /** `audioTokens` is the most that they can be. */
  readonly media: { readonly images: number; readonly audioTokens: number; readonly fileCharacters: number };
}

/** What a meter saw of the answer. */
export interface AnswerSize {
  readonly outputBytes: number;
  readonly outputTokens: number | null;
}

/** About what `target` counts for this prompt and the answer so far; of English text within a tenth. */
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
    inputTokens: Math.ceil(prompt.promptBytes / bytesPerToken) + media,
    outputTokens: answer.outputTokens ?? Math.ceil(answer.outputBytes / bytesPerToken),
  };
}

/** Of English, measured on answers whose tokens the vendor reported. */
const BYTES_PER_TOKEN: readonly (readonly [name: RegExp, bytes: number])[] = [
  [/claude/, 4.1],
  [/gemini|gemma/, 4.8],
  [/gpt-|^o\d/, 4.5],
];
const BYTES_PER_TOKEN_OF_OTHERS = 4.3;
/** A word and the space before it. */
const BYTES_PER_WORD = 6;
/** A picture of a megapixel: 765 tokens at OpenAI, some 1,300 at Anthropic. */
const IMAGE_TOKENS = 1000;
/** Of a PDF in base 64: a page costs some 3,000 tokens and is seldom smaller than 45 kB. */
const FILE_CHARACTERS_PER_TOKEN = 20;
/** How many times as long as an ordinary sound the longest one of as many bytes lasts. */
const AUDIO_SLACK = 16;

function bytesPerTokenOf({ upstreamModel, tokenizer }: Pick<Target, 'upstreamModel' | 'tokenizer'>): number {
  if (tokenizer === 'words') return BYTES_PER_WORD;
  for (const [name, bytes] of BYTES_PER_TOKEN) if (name.test(upstreamModel)) return bytes;
  return BYTES_PER_TOKEN_OF_OTHERS;
}
