/** Differences between models that are called in this format. */
import type { QuirkOptions } from '../interface/quirk-options.ts';
import type { WriteTarget } from '../interface/write-target.ts';

export interface Quirks {
  /** How thinking is requested: by a level, by a number of tokens, or not at all. https://ai.google.dev/gemini-api/docs/thinking */
  readonly thinking: 'level' | 'budget' | 'none';
  /**
   * Whether the first function call of each step must come back with its thought signature:
   * https://ai.google.dev/gemini-api/docs/thought-signatures
   */
  readonly signedCalls: boolean;
  /** Whether schemas may be JSON Schema; otherwise they are written as Google's `Schema`. */
  readonly jsonSchema: boolean;
  /** Whether an answer format may be requested together with tools: https://ai.google.dev/gemini-api/docs/structured-output */
  readonly formatWithTools: boolean;
  /** Whether a function's response may have images: https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
  readonly resultMedia: boolean;
  /** Whether Google fetches media from public addresses: https://ai.google.dev/gemini-api/docs/file-input-methods */
  readonly fetchesUrls: boolean;
  /** Whether instructions have a field of their own; otherwise they begin the conversation. https://ai.google.dev/gemma/docs/core/prompt-structure */
  readonly system: boolean;
  /** Whether a request to count contains a whole request, as at Google AI, or its fields, as at Vertex. */
  readonly countsWhole: boolean;
}

/** Those of the newest models, for a name that says no version (`gemini-flash-latest`). */
export const usualQuirks: Quirks = {
  thinking: 'level',
  signedCalls: true,
  jsonSchema: true,
  formatWithTools: true,
  resultMedia: true,
  fetchesUrls: true,
  countsWhole: true,
  system: true,
};

const OF_2_5: Partial<Quirks> = {
  thinking: 'budget',
  signedCalls: false,
  formatWithTools: false,
  resultMedia: false,
};
/** Gemini 2.0 and older, and Gemma. */
const OF_OLDER: Partial<Quirks> = { ...OF_2_5, thinking: 'none', jsonSchema: false, fetchesUrls: false };

/** None of the catalogue's sources has these differences, so they are known by the model's name. */
export function quirksOfModel(upstreamModel: string): Partial<Quirks> {
  if (/\bgemma-/.test(upstreamModel))
    return /\bgemma-[1-3]/.test(upstreamModel) ? { ...OF_OLDER, system: false } : OF_OLDER;
  // Built on Gemini 2.5: https://ai.google.dev/gemini-api/docs/robotics-overview
  if (/\bgemini-robotics-er-1\./.test(upstreamModel)) return OF_2_5;
  const version = /\bgemini-(\d{1,3})(?:\.(\d{1,3}))?/.exec(upstreamModel);
  if (version === null) return {};
  const [, major = '', minor = '0'] = version;
  const number = Number(major) * 1000 + Number(minor);
  if (number >= 3000) return {};
  return number >= 2005 ? OF_2_5 : OF_OLDER;
}

/** `null` means not set. */
export function readQuirkOptions({ thinking = null }: QuirkOptions): Partial<Quirks> {
  return thinking === null ? {} : { thinking: thinking === 'budget' ? 'budget' : 'level' };
}

export type DialectTarget = WriteTarget<Quirks>;
