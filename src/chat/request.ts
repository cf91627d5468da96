/**
 * The neutral form of a chat request: what callers mean, whichever format they speak. It is nobody's
 * wire format and never leaves the process. Dialects read into it and write from it; what it cannot
 * say is reported by the reader (`warnings`) or, where leaving it out would change the
 * meaning of the request, refused with a 400.
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
  /** Never empty and never white space only: a reader leaves such blocks out. */
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
  /** OpenAI's hint; other formats have no such thing, and it is dropped without a word. */
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

export interface ToolCallBlock extends Cacheable {
  readonly type: 'tool_call';
  /** As the caller sent it; a writer whose format takes fewer characters maps it (`chat/ids.ts`). */
  readonly id: string;
  readonly name: string;
  /** An object. Arguments that were no JSON object stand under `_raw`, as the text they were. */
  readonly input: JsonObject;
}

export interface ToolResultBlock extends Cacheable {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly content: readonly (TextBlock | ImageBlock | DocumentBlock)[];
  readonly isError: boolean;
}

/**
 * What a model thought. `signature` and `encrypted` are opaque and of worth only to who made
 * them, whose name is `origin`; a writer for anybody else leaves the block out.
 */
export interface ReasoningBlock extends ReasoningName {
  readonly type: 'reasoning';
  /** May be empty beside a signature: some models show nothing of it and want it back all the same. */
  readonly text: string;
  readonly signature: string | null;
  /** Thought that is not shown at all; `text` is then empty. */
  readonly encrypted: string | null;
  readonly origin: ReasoningOrigin;
}

/** What else a vendor wants back as it was. Left out where there is no such thing. */
export interface ReasoningName {
  /** The vendor's name for the thought, never empty: some look an opaque value up by it. */
  readonly id?: string;
  /** Whether the text is a summary of the thought, which some formats call by another name. */
  readonly summary?: true;
}

/** Whose opaque value it is, in OpenRouter's words for `format` (`anthropic-claude-v1`, …); `unknown` for text alone. */
export type ReasoningOrigin = string;
export const ANTHROPIC_REASONING: ReasoningOrigin = 'anthropic-claude-v1';
export const UNKNOWN_REASONING: ReasoningOrigin = 'unknown';

export interface RefusalBlock {
  readonly type: 'refusal';
  readonly text: string;
}

export type UserBlock = TextBlock | ImageBlock | DocumentBlock | AudioBlock | ToolResultBlock;
export type AssistantBlock = TextBlock | ToolCallBlock | ReasoningBlock | RefusalBlock;

/**
 * Turns in order. Neighbours have different roles: a reader joins what a caller sent in several pieces.
 * Of a user turn the tool results come first, in the order of the calls they answer.
 * `system` stands for instructions in the middle of a conversation.
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
  /** Whether the arguments must follow the schema to the letter; null when the caller did not say. */
  readonly strict: boolean | null;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'required' | 'none' }
  | { readonly type: 'tool'; readonly name: string };

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** How much the caller wants the model to think. With only `hidden` it leaves that to the model. */
export interface Reasoning {
  readonly effort: Effort | null;
  /** Tokens. */
  readonly budget: number | null;
  /** The model is to decide by itself (`thinking: {"type":"adaptive"}`, `reasoning: {}`). */
  readonly adaptive: boolean;
  /** Whether what it thinks is kept from the caller. */
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
  /** Instructions before the conversation; several blocks stay several. */
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
  /** Null when the caller said nothing about it. */
  readonly reasoning: Reasoning | null;
  readonly format: OutputFormat | null;
  readonly verbosity: 'low' | 'medium' | 'high' | null;
  /** The caller's name for its own user. */
  readonly user: string | null;
  readonly stream: boolean;
  /** Whether the caller gave its tools in the old way (`functions`) and knows one call, without an id, in the answer. */
  readonly oldFunctions?: boolean;
  /** What of the request has no place here and was left out, a short sentence each; the caller is told. */
  readonly warnings: readonly string[];
}
