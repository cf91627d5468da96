/**
 * The neutral form of a chat request: what callers mean, whichever format they speak. It is no vendor's wire format and never leaves the
 * process. Dialects read into it and write from it. What it cannot express the reader reports in `warnings`, or refuses with a 400 if
 * dropping it would change the meaning of the request.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** How long a prefix should be kept by the provider's prompt cache. */
export type CacheMark = '5m' | '1h';

/** Whether the prompt's prefix up to the end of this block is worth a cache entry. */
interface Cacheable {
  readonly cache: CacheMark | null;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  /** Never empty or only white space: readers drop such blocks. */
  readonly text: string;
}

/** Bytes in base 64, an address, or plain text. */
export type MediaSource =
  | { readonly type: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'text'; readonly text: string };

export interface ImageBlock extends Cacheable {
  readonly type: 'image';
  readonly source: MediaSource;
  /** OpenAI's hint. Other formats have no equivalent; it is dropped without a warning. */
  readonly detail: 'auto' | 'low' | 'high' | null;
}

export interface DocumentBlock extends Cacheable {
  readonly type: 'document';
  readonly source: MediaSource;
  readonly name: string | null;
  /** What the caller says about the document, for the model to read. */
  readonly context: string | null;
  readonly citations: boolean;
}

export interface AudioBlock extends Cacheable {
  readonly type: 'audio';
  /** Base 64. */
  readonly data: string;
  readonly format: string;
}

export interface VideoBlock extends Cacheable {
  readonly type: 'video';
  readonly source: MediaSource;
}

export interface ToolCallBlock extends Cacheable {
  readonly type: 'tool_call';
  /** As the caller sent it; a writer for a format that accepts fewer characters maps it (`chat/ids.ts`). */
  readonly id: string;
  readonly name: string;
  /** An object. Arguments that were not a JSON object are kept as text under `_raw`. */
  readonly input: JsonObject;
  /** In a request, whether the tool took free text (`Tool.custom`); `input` is then `{input: <text>}`. Absent if not. */
  readonly custom?: true;
}

export interface ToolResultBlock extends Cacheable {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly content: readonly (TextBlock | ImageBlock | DocumentBlock)[];
  readonly isError: boolean;
}

/**
 * What a model thought. `signature` and `encrypted` are opaque and useful only to the vendor that made them (`origin`); a writer for
 * another vendor drops the block.
 */
export interface ReasoningBlock extends ReasoningName {
  readonly type: 'reasoning';
  /** May be empty if there is a signature: some models do not show their thoughts but expect them back. */
  readonly text: string;
  readonly signature: string | null;
  /** A thought that is not shown at all; `text` is then empty. */
  readonly encrypted: string | null;
  readonly origin: ReasoningOrigin;
}

/** What else a vendor expects back unchanged. Absent if there is nothing. */
export interface ReasoningName {
  /** The vendor's name for the thought, never empty: some vendors look up the opaque value by it. */
  readonly id?: string;
  /** Whether the text is a summary of the thought; some formats have another name for that. */
  readonly summary?: true;
}

/** The vendor that made the opaque value, as in OpenRouter's `format` (`anthropic-claude-v1`, …); `unknown` for text alone. */
export type ReasoningOrigin = string;
export const ANTHROPIC_REASONING: ReasoningOrigin = 'anthropic-claude-v1';
export const OPENAI_REASONING: ReasoningOrigin = 'openai-responses-v1';
export const GOOGLE_REASONING: ReasoningOrigin = 'google-gemini-v1';
export const UNKNOWN_REASONING: ReasoningOrigin = 'unknown';

export interface RefusalBlock {
  readonly type: 'refusal';
  readonly text: string;
}

export type UserBlock = TextBlock | ImageBlock | DocumentBlock | AudioBlock | VideoBlock | ToolResultBlock;
export type AssistantBlock = TextBlock | ToolCallBlock | ReasoningBlock | RefusalBlock;

/**
 * Turns in order. Adjacent turns have different roles: a reader joins what a caller sent in several pieces. In a user turn the tool results
 * come first, in the order of their calls. `system` is for instructions in the middle of a conversation.
 */
export type Turn =
  | { readonly role: 'user'; readonly blocks: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly blocks: readonly AssistantBlock[] }
  | { readonly role: 'system'; readonly blocks: readonly TextBlock[] };

export interface Tool extends Cacheable {
  readonly name: string;
  readonly description: string | null;
  /** A JSON Schema whose root is an object. */
  readonly schema: JsonObject;
  /** Whether the arguments must follow the schema exactly; null when the caller did not say. */
  readonly strict: boolean | null;
  /**
   * Set for a tool that takes free text instead of arguments. `schema` is then that of an object with one string, `input`, which formats
   * without such tools use (`kit/request/custom-tools.ts`); a call's arguments are always that object.
   */
  readonly custom?: CustomInput;
}

/** What the text must match; null if it is free. */
export interface CustomInput {
  readonly grammar: { readonly syntax: 'lark' | 'regex'; readonly definition: string } | null;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'required' | 'none' }
  | { readonly type: 'tool'; readonly name: string };

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** How much the caller wants the model to think. If only `hidden` is set, the model decides. */
export interface Reasoning {
  readonly effort: Effort | null;
  /** Tokens. */
  readonly budget: number | null;
  /** The model decides (`thinking: {"type":"adaptive"}`, `reasoning: {}`). */
  readonly adaptive: boolean;
  /** Whether the thoughts are hidden from the caller. */
  readonly hidden: boolean;
}

export type OutputFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string | null;
      readonly description: string | null;
      readonly schema: JsonObject;
      readonly strict: boolean | null;
    };

export interface ChatRequest {
  /** Instructions before the conversation; blocks are not joined. */
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  /** Null when the caller did not say. */
  readonly toolChoice: ToolChoice | null;
  readonly parallelTools: boolean | null;
  /** Tokens, reasoning included; null when the caller set none. */
  readonly outputCap: number | null;
  readonly stop: readonly string[];
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly topK: number | null;
  readonly frequencyPenalty: number | null;
  readonly presencePenalty: number | null;
  readonly seed: number | null;
  /** Null when the caller did not say. */
  readonly reasoning: Reasoning | null;
  readonly format: OutputFormat | null;
  readonly verbosity: 'low' | 'medium' | 'high' | null;
  /** The caller's id for its own user. */
  readonly user: string | null;
  readonly stream: boolean;
  /** Whether the caller sent its tools as `functions` (deprecated) and so expects at most one call, without an id, in the answer. */
  readonly oldFunctions?: boolean;
  /** What the caller's own dialect must know of the request to write the answer; only that dialect reads it. Absent if nothing. */
  readonly forAnswer?: object;
  /** What was left out of the request, as short sentences; the caller gets them. */
  readonly warnings: readonly string[];
}
