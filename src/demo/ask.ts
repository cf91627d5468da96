/** What a request asks for, independent of its dialect: everything a demo model uses. */
import type { JsonObject } from '../core/json-object.ts';

export interface Ask {
  /** The model as the request names it. */
  readonly model: string;
  readonly stream: boolean;
  /** The text of the last user message that is not a list of tool results. */
  readonly userText: string;
  readonly outputCap: number | null;
  readonly stops: readonly string[];
  /** How many answers are requested. */
  readonly choices: number;
  readonly tools: readonly ToolOffer[];
  readonly toolChoice: ToolChoice;
  readonly parallelTools: boolean;
  /** The tools' results, if the conversation ends with them. */
  readonly toolResults: readonly ToolAnswer[];
  /** How many assistant turns with tool calls came since the last user text. */
  readonly toolRounds: number;
  readonly format: AnswerFormat;
  readonly thinking: Thinking;
  readonly prompt: PromptUsage;
}

export interface ToolOffer {
  readonly name: string;
  readonly schema: JsonObject;
}

export type ToolChoice =
  | { readonly type: 'auto' }
  | { readonly type: 'none' }
  | { readonly type: 'required' }
  | { readonly type: 'named'; readonly name: string };

export interface ToolAnswer {
  readonly name: string;
  readonly text: string;
}

export type AnswerFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | { readonly type: 'schema'; readonly schema: JsonObject };

/** `counted`: the tokens are in the usage, the text is hidden; `omitted`: an empty text with a signature. */
export type Thinking = 'none' | 'counted' | 'omitted' | 'shown';

/** Disjoint counters of the prompt, in tokens. */
export interface PromptUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}
