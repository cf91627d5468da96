/**
 * A dialect is a wire format for talking to language models. The gateway speaks each in two
 * roles: to callers, as a server; to providers, as a client. A member of this family is a folder
 * that knows everything about one format; nothing outside knows a field of it.
 *
 * There are two lanes. In the relay lane both sides speak the same dialect, and bytes pass but for a
 * closed list of edits. In the translate lane they do not, and everything goes through the neutral form (`chat/`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest, Effort } from '../chat/request.ts';
import type { ChatEvent, ChatResponse } from '../chat/response.ts';
import type { Body, WholeBody } from '../core/body.ts';
import type { ErrorCode, GatewayError } from '../core/errors.ts';
import type { ReportedParts, Usage } from '../core/usage.ts';
import type { JsonDocument, JsonScanOptions } from '../wire/json-scan.ts';
import type { SseFrame } from '../wire/sse.ts';
import type { InlineMedia } from './kit/media/inline-media.ts';
import type { Tokenizer } from './kit/meter/word-counter.ts';

export type DialectName = 'openai-chat' | 'anthropic-messages';

/** A request as it arrived: whole, scanned, not parsed. */
export interface Inbound {
  readonly headers: IncomingHttpHeaders;
  readonly document: JsonDocument;
}

/** What the call path needs to know of a request to admit and route it. */
export interface Peek {
  /** The model exactly as the caller wrote it. */
  readonly model: string;
  readonly stream: boolean;
  /** The caller's own cap on output tokens, or null. */
  readonly outputCap: number | null;
  /** How many answers are asked for at once (`n`); 1 where the dialect has no such thing. */
  readonly choices: number;
  readonly hasTools: boolean;
  /** How many of them are named only, by a type of the vendor's: it writes their definitions. */
  readonly namedTools: number;
  /** Whether the caller asked for a usage chunk at the end of a stream, in the dialect's own way. */
  readonly wantsUsage: boolean;
  /** Whether a form of the answer is asked for, which some formats tell the model in words of their own. */
  readonly hasFormat: boolean;
  /**
   * Whether what the provider will read is not bounded by this body: media by address or of unknown length, server
   * tools, stored state, a conversation it summarises.
   */
  readonly promptUnbounded: boolean;
  /** How often the tools that the provider runs may be used; 0 without any, `unbounded` where the caller gave no limit. */
  readonly serverToolUses: number | 'unbounded';
  /** The field that makes the provider search by itself, apart from tools; null without one. */
  readonly searchField: string | null;
  /** Whether the provider may summarise the conversation first: then it reads and writes twice. */
  readonly compacts: boolean;
  /** Images and sounds in the body itself. */
  readonly media: InlineMedia;
  /** Bytes of what the model reads (messages, instructions, tools) as they stand in the body, media aside: for estimates. */
  readonly promptBytes: number;
  /** Length of the whole body. */
  readonly bodyBytes: number;
  /** How many values and names the body has. */
  readonly values: number;
  /** By how many bytes its text may grow where a tokenizer normalises it. */
  readonly growth: number;
  /** How many tokens of an answer the caller gave beforehand: those that the model does not take are paid as output. */
  readonly predictedTokens: number;
  /** `openai-chat`: whether it has fields of OpenRouter's; see `RequestEdits.target`. */
  readonly hasOpenRouterFields: boolean;
}

/** The caller's own words, of any length. */
export interface SaidLabels {
  readonly user: string | null;
  readonly metadata: readonly (readonly [name: string, value: string])[];
  /** Whether it says more, which was too long to read. */
  readonly isCut: boolean;
}

/** What the gateway wants changed in a relayed request; the rest of the bytes stay as they are. */
export interface RequestEdits {
  /** The model's name at the provider. */
  readonly model: string;
  /** A cap of the gateway's own, for a caller that gave none; null leaves it to the provider. */
  readonly outputCap: number | null;
  /** See `Habits`. */
  readonly outputCapFields: OutputCapFields;
  /** Given where the request has fields of OpenRouter's: what of them its target takes, and how it is told to think. */
  readonly target?: WriteTarget | null;
}

/** A relayed request; `warnings` as those of `WrittenRequest`. */
export interface PatchedRequest {
  readonly headers: Record<string, string>;
  readonly body: Body;
  readonly warnings?: readonly string[];
}

/** A request on its way to a provider. */
export interface Outbound {
  /** Path and query at the provider's origin. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Record<string, string>;
  readonly body: Body;
}

/** What a patcher and a writer may ask of the call they serve. */
export interface AnswerContext {
  /** The model string the caller sent; it is what the caller reads back. */
  readonly callerModel: string;
  /** The provider's name for the same model. */
  readonly upstreamModel: string;
  /** The name of the provider that serves, as records and filters have it; absent, it is not told. */
  readonly provider?: string;
  /** The price of the usage seen so far as an exact decimal number literal in USD, or null when it has no price. */
  cost(): string | null;
}

/**
 * The fields that OpenRouter added to a request, and `metadata`, which not all take as it does:
 * https://openrouter.ai/docs/api-reference/parameters
 */
export type OpenRouterField =
  | ('usage' | 'reasoning' | 'include_reasoning' | 'transforms' | 'plugins')
  | ('provider' | 'models' | 'route' | 'metadata');

export type OutputCapField = 'max_completion_tokens' | 'max_tokens';

/** The names of the output cap that a provider obeys; the first is the one that the gateway writes. */
export type OutputCapFields = readonly [OutputCapField, ...OutputCapField[]];

/** What a vendor's own kind of a dialect asks for; declared with the provider. */
export interface Habits {
  /**
   * `openai-chat`: the fields that cap the output. Whoever obeys one of them only refuses the other, or reads past it: a cap
   * under a name that is not obeyed is none.
   */
  readonly outputCapFields: OutputCapFields;
  /** `openai-chat`: how the model is told how much to think: OpenAI's word, that beside DeepSeek's switch, OpenRouter's object, or not at all. */
  readonly reasoningField: 'reasoning_effort' | 'thinking' | 'reasoning' | 'none';
  /** `openai-chat`: where an assistant's earlier thoughts are given back; `none` where they are left out. */
  readonly reasoningBack: 'reasoning_details' | 'reasoning_content' | 'none';
  /** `openai-chat`: the fields of OpenRouter's that a relayed request keeps, beside `reasoning` where that is its `reasoningField`. */
  readonly openRouterFields: readonly OpenRouterField[];
  /** `openai-chat`: whether `cache_control` may stand on content parts. */
  readonly cacheControl: boolean;
  /** `openai-chat`: the role of instructions; some servers know only `system`. */
  readonly systemRole: 'system' | 'developer';
  /** Both formats: what of sampling a translated request tells a model of which nobody knows what it takes. */
  readonly sampling: readonly SamplingField[];
}

/** What some servers refuse whole requests for. */
export const SAMPLING_FIELDS = ['temperature', 'top_p', 'top_k'] as const;
export type SamplingField = (typeof SAMPLING_FIELDS)[number];

/** What a request is written for: the model at the provider, as the catalogue and the provider's declaration know it. */
export interface WriteTarget {
  readonly upstreamModel: string;
  /** The most output tokens the model gives; null when nobody knows. */
  readonly outputCap: number | null;
  /** What the model takes, in OpenRouter's words (`temperature`, `top_k`, `tools`, …); null when nobody knows: then see `takesParameter`. */
  readonly parameters: ReadonlySet<string> | null;
  /** The efforts the model knows, in the order of `EFFORTS`; null when nobody knows. */
  readonly efforts: readonly Effort[] | null;
  /**
   * How a model of the Messages API is asked to think; `always`: as `adaptive`, but it cannot be told not to. Null when nobody
   * knows: then as the newest are.
   */
  readonly thinking: 'adaptive' | 'budget' | 'always' | null;
  /** Whether instructions may stand in the middle of a conversation (Messages API). */
  readonly systemAnywhere: boolean;
  /** Whether the last turn may be the assistant's, to be continued (Messages API). */
  readonly prefill: boolean;
  readonly habits: Habits;
}

/** A translated request; `warnings` say, a short sentence each, what of it could not be said in this format. */
export interface WrittenRequest {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly warnings: readonly string[];
  /** The cap on output tokens that stands in the body; null where none does. */
  readonly outputCap: number | null;
  /** What tools are called on the wire where that is not the caller's name for them: wire name → name; null where all are. */
  readonly toolNames: ReadonlyMap<string, string> | null;
}

/** Reads one provider's stream into the neutral form. */
export interface StreamReader {
  /** What one frame says: often nothing, sometimes several things. */
  frame(frame: SseFrame): readonly ChatEvent[];
  /** The stream ended well without its last frame: what is still due. Empty when `end` or `error` was given already. */
  end(): readonly ChatEvent[];
}

/** What a writer of answers may ask of the call it serves. */
export interface WriteContext {
  /** The model string the caller sent. */
  readonly callerModel: string;
  /** See `AnswerContext`. */
  readonly provider?: string;
  /** The answer's id, without a prefix: our generation id. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Whether the caller asked for a usage chunk in its own way. */
  readonly wantsUsage: boolean;
  /** Whether the caller sees what the model thinks. */
  readonly showsReasoning: boolean;
  /** Whether the caller asked for it to be hidden: then leaving it out is no loss. */
  readonly hidesReasoning?: boolean;
  /** `openai-chat`: whether a call is written in the old way, as `function_call`. */
  readonly oldFunctions?: boolean;
  /** To which the writer adds, a short sentence each, what of the answer cannot be said in its format. */
  readonly warnings: Set<string>;
  /** The price of the usage seen so far as an exact decimal number literal in USD, or null when it has no price. */
  cost(): string | null;
}

/** Writes one answer as a stream. Events come as a reader promises them. */
export interface StreamWriter {
  /** The bytes for the caller; may be empty. */
  event(event: ChatEvent): Buffer;
}

/** Edits the answers of one relayed call. Bytes it has nothing to do with are returned as they came. */
export interface FramePatcher {
  /** The stream ended well without its last frame: what the caller is still due. Absent where that is nothing. */
  end?(): Buffer | null;
  /** One frame of a stream: the bytes to pass on (the frame's own when nothing changed), or null to drop it. */
  frame(frame: SseFrame): Buffer | null;
  /** A whole, successful, non-streamed answer. */
  body(body: Buffer): WholeBody;
  /** Whether the last frame differs in its text only from one that was learned before it. Absent, as what follows, where none is ever learned. */
  readonly isRepeatable?: boolean;
  /**
   * Takes bytes that begin with a frame. Where they are one that differs from the last frame in its text only, what
   * they are to become is put into `into` at `at`, and its length is returned; else -1, and nothing has happened, as
   * where it has no room. Asked while meter and patcher both know the last frame.
   */
  repeat?(raw: Buffer, into: Buffer, at: number): number;
  /** Of the frame that `repeat` took: the bytes of its text in UTF-8, its escapes undone. */
  readonly repeatedTextBytes?: number;
}

/** How far an answer has come. */
export type MeterState =
  /** Still running, or cut. */
  | 'open'
  /** The dialect's proper end was seen. */
  | 'finished'
  /** The provider reported an error inside the answer. */
  | 'failed'
  /** Ended properly but with nothing in it and no reason: nobody pays for that. */
  | 'empty';

/** `unreadable`: a frame that is no JSON, which no client could read; `reason`: a choice with an error, or with a reason that means one. */
export type SilentFailure = 'unreadable' | 'reason';

/** What a meter saw delivered: the basis of an estimate when the provider reports no usage. */
export interface Delivered {
  /** UTF-8 bytes of text, reasoning and tool arguments the answer carried so far. */
  readonly outputBytes: number;
  /** The same in tokens, where the model's own tokenizer is known to the meter; else null. */
  readonly outputTokens: number | null;
}

/** Watches one call's answer, in either lane: the only place that knows the dialect's usage rules. */
export interface Meter {
  /** One frame of a stream, before it is patched. */
  frame(frame: SseFrame): void;
  /** Whether a frame that differs from the last one in its text only would add that text, and nothing else. Absent means never. */
  readonly isRepeatable?: boolean;
  /** Such a frame, which is not given to `frame`, with so many bytes of text. */
  repeat?(textBytes: number): void;
  /** Whether the last frame given to `frame` is no part of an answer: a comment, an event of a kind that the format does not know. */
  readonly isUnknown?: boolean;
  /** A whole non-streamed answer. */
  body(body: Buffer): void;
  /** Usage as the provider reported it; null when it has not. */
  usage(): Usage | null;
  /** Which parts of it were reported; of an answer that was cut, the output is none of them. */
  reported(): ReportedParts;
  /** Whether something was reported that is no count (negative, not a number): a metric and an alert. */
  usageInvalid(): boolean;
  delivered(): Delivered;
  readonly state: MeterState;
  /**
   * Why the answer has failed though its stream goes on as if it had not: its last frame cannot be read, or only a choice
   * of it says that the provider failed. Null otherwise.
   */
  readonly failure: SilentFailure | null;
  /** Whether the stream's very last frame was seen (`[DONE]`, `message_stop`, an error): the relay holds that frame until the call is settled. */
  readonly ended: boolean;
  /** The provider's own id of the answer, or null. */
  readonly upstreamId: string | null;
  /** The reason the answer gave for its end, in the dialect's own words, or null. */
  readonly finishReason: string | null;
}

/** A provider's refusal, understood well enough to decide what the caller gets. */
export interface UpstreamError {
  readonly code: ErrorCode;
  /** The same without the provider's words, which may quote a caller: by status and machine-readable codes. A 404 is one by itself. */
  readonly sureCode: ErrorCode;
  readonly status: number;
  /** True when the provider's own body may go to the caller as it is (a 4xx about the request itself). */
  readonly relayable: boolean;
  /** Whether it would be, if its body did not name something of the operator's. */
  readonly namesOperator: boolean;
  readonly retryAfterSeconds: number | null;
  /** The provider's message without anything secret, for the record; at most 200 characters. */
  readonly message: string;
  /** `toldWords` of that message: what a caller may read of trouble that is not the request's. Empty where it is no error of an API. */
  readonly told: string;
}

/** An event of a stream that says that the answer has failed. */
export interface EventError {
  /** The same error as a translated stream tells it. */
  readonly error: GatewayError;
  /** Whether the event may go to the caller as it came: nothing of it is the operator's own affair. */
  readonly isSafe: boolean;
  /** `openai-chat`: the error as an event of nothing else, which some clients look for; null where this event is one, and elsewhere. */
  readonly alone: Buffer | null;
}

/** Where an answer's own words stand: what is beside them is the provider's. */
export interface AnswerWords {
  /** Fields at the top of an answer, or of an event of a stream, that hold some. */
  readonly parts: ReadonlySet<string>;
  /** Fields in those, at any depth, whose values are words. */
  readonly names: ReadonlySet<string>;
}

export interface Dialect {
  readonly name: DialectName;
  /** The name of the response header that carries our request id on this dialect's routes. */
  readonly requestIdHeader: 'x-request-id' | 'request-id';

  /** Field names whose places the body scan reports wherever they stand: media, stored state, server tools. */
  readonly watchedKeys: ReadonlySet<string>;
  /** A text whose places `patchRequest` must know: a large body is searched for it as it arrives. Absent where there is none. */
  readonly mark?: { readonly text: Buffer; readonly max: number };
  /** How a caller's body is scanned: for those, and for names that are spelled in another way than they must be. */
  readonly scan: JsonScanOptions;

  // As the caller speaks it.
  /** Throws `GatewayError` 400 for what no provider could serve and for governed fields this gateway refuses. */
  peek(inbound: Inbound): Peek;
  /** The same of a request whose tokens are only counted: it asks for no answer. */
  peekPrompt(inbound: Inbound): Peek;
  /** What the caller says of itself, for the record; null where it says nothing. Absent where the format has no such fields. */
  readLabels?(document: JsonDocument): SaidLabels | null;
  /** The body of an error before the answer began. */
  writeError(error: GatewayError, requestId: string): Buffer;
  /** The bytes that end a stream on an error, in the dialect's own form; nothing follows them. */
  writeStreamError(error: GatewayError, requestId: string): Buffer;
  /** Bytes that keep a quiet stream alive and mean nothing. */
  readonly ping: Buffer;

  /** Into the neutral form. Throws `GatewayError` 400 for what has no meaning elsewhere and must not be lost in silence. */
  readRequest(inbound: Inbound): ChatRequest;
  /** A whole answer's body. */
  writeResponse(response: ChatResponse, context: WriteContext): Buffer;
  openWriter(context: WriteContext): StreamWriter;

  // As a provider speaks it.
  /**
   * Throws `GatewayError` 400 for what this format cannot say and must not be lost in silence. A large body is written
   * into `scratch` (`wire/json-write.ts`) where there is some, and is then a view of it.
   */
  writeRequest(request: ChatRequest, target: WriteTarget, scratch?: Buffer | null): WrittenRequest;
  /**
   * The images and sounds in a request of this format, which may not be bounded. `document` was scanned for `watchedKeys`.
   */
  readInlineMedia(document: JsonDocument): InlineMedia;
  /** Null when the body is no answer in this format. */
  readResponse(body: Buffer): ChatResponse | null;
  openReader(): StreamReader;
  /** The relayed request: the caller's bytes with the edits, the headers that may pass, no credential. */
  patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits): PatchedRequest;
  openPatcher(peek: Peek, context: AnswerContext): FramePatcher;
  readError(status: number, headers: Record<string, string | string[] | undefined>, body: Buffer): UpstreamError;
  /** Null where the event is no error; asked only once something has failed. */
  readEventError(frame: SseFrame): EventError | null;

  readonly answerWords: AnswerWords;

  // In both lanes.
  /** `tokenizer`: the target's, where it is known; then what is delivered is counted exactly. */
  openMeter(peek: Peek, tokenizer?: Tokenizer): Meter;
}
