/**
 * A dialect is a wire format for talking to language models. It has up to two roles: a caller speaks it to us (`CallerDialect`), or we
 * speak it to a provider (`ProviderDialect`). A format with both roles can also be relayed (`RelayDialect`). A member of this family is a
 * folder with everything about one format; no field of it is known outside.
 *
 * There are two lanes. In the relay lane both sides speak the same dialect, and bytes pass unchanged except for a closed list of edits. In
 * the translate lane they differ, and everything goes through the neutral form (`chat/`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest, ReasoningOrigin } from '../chat/request.ts';
import type { ChatResponse } from '../chat/response.ts';
import type { GatewayError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Frame } from '../wire/frames/frame.ts';
import type { JsonDocument, Mark } from '../wire/json-document.ts';
import type { JsonScanOptions } from '../wire/json-scan.ts';
import type { AnswerWords } from './interface/answer-words.ts';
import type { Caching } from './interface/caching.ts';
import type { CallerCredential } from './interface/caller-credential.ts';
import type { CallerLabels } from './interface/caller-labels.ts';
import type { CallerClients, CallerPath, OperationName } from './interface/caller-path.ts';
import type { CostLimits } from './interface/cost-limits.ts';
import type { EventError } from './interface/event-error.ts';
import type { Inbound, RequestPath } from './interface/inbound.ts';
import type { Meter } from './interface/meter.ts';
import type { ModelList } from './interface/model-list.ts';
import type { OperationPart } from './interface/operation-part.ts';
import type { Peek } from './interface/peek.ts';
import type { PromptCounter } from './interface/prompt-counter.ts';
import type { QuirkOptions } from './interface/quirk-options.ts';
import type { Relay, RelayContext } from './interface/relay.ts';
import type { PatchedRequest, RequestEdits } from './interface/request-edits.ts';
import type { StreamForm } from './interface/stream-form.ts';
import type { StreamReader } from './interface/stream-reader.ts';
import type { StreamWriter, WriteContext } from './interface/stream-writer.ts';
import type { TokenCounting } from './interface/token-counting.ts';
import type { UpstreamError } from './interface/upstream-error.ts';
import type { UsualPaths } from './interface/usual-paths.ts';
import type { WriteTarget, WrittenRequest } from './interface/write-target.ts';
import type { InlineMedia } from './kit/media/inline-media.ts';
import type { Tokenizer } from './kit/meter/word-counter.ts';
import type { FindText } from './kit/relay/text-template.ts';

/**
 * A format in which we call a provider. `Name` is its literal name in the table of dialects, `Quirks` an interface of the differences
 * between servers and models that speak it.
 */
export interface ProviderDialect<Name extends string = string, Quirks = object> {
  readonly name: Name;
  /** Throws `GatewayError` 400 for what this format cannot express and must not be lost silently. */
  writeRequest(request: ChatRequest, target: WriteTarget<Quirks>): WrittenRequest;
  /**
   * Null when the body is not an answer in this format. `object`: the body as JSON, if already parsed; it is not changed. `quirks`: the
   * provider's; the usual ones if absent.
   */
  readResponse(body: Buffer, object?: JsonObject | null, quirks?: Quirks): ChatResponse | null;
  /** `upstreamModel`: the model's name at the provider, if known. `quirks` as in `readResponse`. */
  openReader(upstreamModel?: string, quirks?: Quirks): StreamReader;
  readError(status: number, headers: Record<string, string | string[] | undefined>, body: Buffer): UpstreamError;
  /** `tokenizer`: the target's, if known; delivered text is then counted exactly. */
  openMeter(peek: Peek, tokenizer?: Tokenizer): Meter;

  // Optional members.
  /**
   * The quirks assumed for unknown servers and models; a provider or a model declares its differences. Absent if the format has no quirks.
   */
  readonly usualQuirks?: Quirks;
  /** The quirks known from a model's name at a provider. */
  quirksOfModel?(upstreamModel: string): Partial<Quirks>;
  /** The quirks in the configuration; only those that are set. */
  readQuirkOptions?(options: QuirkOptions): Partial<Quirks>;
  /** Whether a provider takes back opaque thoughts of this vendor. Absent if it takes none. */
  takesThoughts?(origin: ReasoningOrigin, quirks: Quirks): boolean;
  /** Set if it has no part for sound: a request with sound is then written in another format of the target, if there is one. */
  readonly takesSound?: false;
  /** If absent, every provider declares its paths for this format. */
  readonly usualPaths?: UsualPaths;
  /** Null if the event is not an error; called only after something has failed. If absent, errors inside an answer are not understood. */
  readEventError?(frame: Frame): EventError | null;
  /** Finds the text in the most common frames of a stream; if absent, each frame is read as JSON. */
  readonly findText?: FindText;
  /** If absent, providers of this format cannot count a prompt: then it is estimated. */
  readonly counter?: PromptCounter<Quirks>;
  /** If absent, no image or sound in a request of this format is bounded: the hold assumes a full context window. */
  readonly inlineMedia?: InlineMediaReader;
}

/** Finds the images and sounds in a request of one format. */
export interface InlineMediaReader {
  /** Names of the fields that contain them; the body is scanned for those. */
  readonly keys: ReadonlySet<string>;
  /** `document` was scanned for `keys`. */
  read(document: JsonDocument): InlineMedia;
}

/** A format in which callers call us. */
export interface CallerDialect<Name extends string = string> {
  readonly name: Name;
  /** For display: the vendor's name. */
  readonly title: string;
  /** Where callers send their requests. The first is for `chat`. */
  readonly paths: readonly [CallerPath, ...CallerPath[]];
  readonly clients: CallerClients;
  /** Whether a request to an unknown path comes from one of its clients. Absent if that cannot be recognised. */
  isClient?(headers: IncomingHttpHeaders): boolean;
  /** Another header for the key. Absent if its clients use the usual ones. */
  readonly credential?: CallerCredential;
  /** How its clients list models. Absent if they read OpenAI's list, at `/v1/models`. */
  readonly modelList?: ModelList;
  /** The body of a `chat` request with this prompt, by default a short one: for examples, tests, and requests that are only planned. */
  exampleBody(model: string, prompt?: string): object;
  /** The fields with which a request limits what it may cost, for messages. */
  readonly costLimits: CostLimits;
  /**
   * What it calls the fields that writers of other formats name in their errors and warnings (`messages`, `tool_choice`), if it calls them
   * otherwise.
   */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** The name of the response header that carries our request id on this dialect's routes. */
  readonly requestIdHeader: 'x-request-id' | 'request-id';
  /** How a caller's body is scanned: for fields that `peek` must find at any depth, and for misspelled names. */
  readonly scan: JsonScanOptions;
  /** Short texts whose positions a step needs: a large body is searched for them as it arrives. Absent if there are none. */
  readonly marks?: readonly Mark[];

  /** Throws `GatewayError` 400 for what no provider could serve and for governed fields this gateway refuses. */
  peek(inbound: Inbound): Peek;
  /**
   * The same request without the search that its provider would run, for a call that could not be paid for with it; the tool must be one
   * that clients send unasked. Null if there is none, or the caller insists on it. Absent if the format has no such tool.
   */
  withoutSearch?(inbound: Inbound, peek: Peek): Peek | null;
  /** Set if callers read and delete what a provider keeps of their answers, below the path of `chat`: `/{id}`, `/{id}/input_items`. */
  readonly hasStoredAnswers?: true;
  /** Required if one of its paths is for `compact`: as `peek` of a call, for a request to shorten a conversation. */
  readonly compacting?: { peek(inbound: Inbound): Peek };
  /** Required if one of its paths is for `count_tokens`. */
  readonly counting?: TokenCounting;
  /** What it has for operations that are only relayed, such as `embeddings`: required for each of those that it has a path for. */
  readonly parts?: { readonly [operation in OperationName]?: OperationPart };
  /** What the caller says about itself, for the record; null if nothing. Absent if the format has no such fields. */
  readLabels?(document: JsonDocument): CallerLabels | null;
  /** What the caller calls its conversation, or itself; null if nothing. Absent if the format has no such fields. */
  readConversation?(document: JsonDocument): string | null;
  /**
   * Whose opaque value the last thought of the conversation has, found without parsing the body; null if there is none, or it does not say.
   * Absent if the format has no such values.
   */
  lastSigner?(document: JsonDocument): ReasoningOrigin | null;
  /**
   * Reads a request into the neutral form. Throws `GatewayError` 400 for what other formats cannot express and must not be lost silently.
   */
  readRequest(inbound: Inbound): ChatRequest;

  /** A whole answer's body. */
  writeResponse(response: ChatResponse, context: WriteContext): Buffer;
  openWriter(context: WriteContext): StreamWriter;
  /** The body of an error before the answer has begun. */
  writeError(error: GatewayError, requestId: string): Buffer;
  /** The bytes that end a stream with an error, in the dialect's format; nothing follows them. */
  writeStreamError(error: GatewayError, requestId: string): Buffer;
  /**
   * The same error in the form that some clients parse instead, after those bytes and in a chunk of its own. Absent if one form is enough.
   */
  writeErrorAlone?(error: GatewayError, requestId: string): Buffer;
  /** Which requests get the same answer. */
  readonly caching: Caching;
  /** Bytes without meaning that keep an idle stream alive. */
  readonly ping: Buffer;
  /** How a streamed answer to this request is sent; null for server-sent events. Absent if the format has no other streams. */
  streamForm?(asked: RequestPath): StreamForm | null;
}

/** Both roles, and the edits for calls with this format on both sides. */
export interface RelayDialect<Name extends string = string, Quirks = object>
  extends CallerDialect<Name>,
    ProviderDialect<Name, Quirks> {
  readonly name: Name;
  /** The relayed request: the caller's bytes with the edits, the permitted headers, no credential. */
  patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits<Quirks>): PatchedRequest;
  openRelay(peek: Peek, context: RelayContext<Quirks>): Relay;
  readEventError(frame: Frame): EventError | null;
  readonly answerWords: AnswerWords;
}
