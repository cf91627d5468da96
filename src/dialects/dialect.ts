/**
 * A dialect is a wire format for talking to language models. It has up to two roles: a caller speaks it to us
 * (`CallerDialect`), or we speak it to a provider (`ProviderDialect`). A format with both roles can also be relayed
 * (`RelayDialect`). A member of this family is a folder that knows everything about one format; nothing outside knows a field of it.
 *
 * There are two lanes. In the relay lane both sides speak the same dialect, and bytes pass but for a
 * closed list of edits. In the translate lane they do not, and everything goes through the neutral form (`chat/`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest } from '../chat/request.ts';
import type { ChatResponse } from '../chat/response.ts';
import type { GatewayError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Frame } from '../wire/frames/frame.ts';
import type { JsonDocument } from '../wire/json-document.ts';
import type { JsonScanOptions } from '../wire/json-scan.ts';
import type { AnswerWords } from './interface/answer-words.ts';
import type { CallerLabels } from './interface/caller-labels.ts';
import type { CallerClients, CallerPath } from './interface/caller-path.ts';
import type { EventError } from './interface/event-error.ts';
import type { Inbound } from './interface/inbound.ts';
import type { Meter } from './interface/meter.ts';
import type { Peek } from './interface/peek.ts';
import type { QuirkOptions } from './interface/quirk-options.ts';
import type { Relay, RelayContext } from './interface/relay.ts';
import type { PatchedRequest, RequestEdits } from './interface/request-edits.ts';
import type { StreamReader } from './interface/stream-reader.ts';
import type { StreamWriter, WriteContext } from './interface/stream-writer.ts';
import type { TokenCounting } from './interface/token-counting.ts';
import type { UpstreamError } from './interface/upstream-error.ts';
import type { UsualPaths } from './interface/usual-paths.ts';
import type { WriteTarget, WrittenRequest } from './interface/write-target.ts';
import type { InlineMedia } from './kit/media/inline-media.ts';
import type { Tokenizer } from './kit/meter/word-counter.ts';
import type { FindText } from './kit/relay/text-template.ts';

/** We call a provider in it. `Name` is its literal name in the table of dialects, `Quirks` an interface of what servers and models that speak
 * it differ in. */
export interface ProviderDialect<Name extends string = string, Quirks = object> {
  readonly name: Name;
  /**
   * Throws `GatewayError` 400 for what this format cannot say and must not be lost in silence. A large body is written
   * into `scratch` (`wire/json-write.ts`) where there is some, and is then a view of it.
   */
  writeRequest(request: ChatRequest, target: WriteTarget<Quirks>, scratch?: Buffer | null): WrittenRequest;
  /** Null when the body is no answer in this format. `object`: the body as JSON, where it was read already; it is not changed. */
  readResponse(body: Buffer, object?: JsonObject | null): ChatResponse | null;
  openReader(): StreamReader;
  readError(status: number, headers: Record<string, string | string[] | undefined>, body: Buffer): UpstreamError;
  /** `tokenizer`: the target's, where it is known; then what is delivered is counted exactly. */
  openMeter(peek: Peek, tokenizer?: Tokenizer): Meter;

  // What a format may leave out.
  /** What servers and models of unknown make are taken for; a provider or a model declares where it differs. Absent where none differ. */
  readonly usualQuirks?: Quirks;
  /** What is known of a model's quirks by its name at a provider alone. */
  quirksOfModel?(upstreamModel: string): Partial<Quirks>;
  /** What operators said in the configuration; only what was said. */
  readQuirkOptions?(options: QuirkOptions): Partial<Quirks>;
  /** Absent, every provider says where it has this format. */
  readonly usualPaths?: UsualPaths;
  /** Null where the event is no error; asked only once something has failed. Absent, what an error in an answer is about is not known. */
  readEventError?(frame: Frame): EventError | null;
  /** Where the text stands in what most frames of a stream are; absent, each of them is read as JSON. */
  readonly findText?: FindText;
  /** Absent, no image or sound in a request of this format is bounded: what it costs is held as if it filled the context window. */
  readonly inlineMedia?: InlineMediaReader;
}

/** Finds the images and sounds in a request of one format. */
export interface InlineMediaReader {
  /** Names of the fields that hold them: the body is scanned for those. */
  readonly keys: ReadonlySet<string>;
  /** `document` was scanned for `keys`. */
  read(document: JsonDocument): InlineMedia;
}

/** A caller calls us in it. */
export interface CallerDialect<Name extends string = string> {
  readonly name: Name;
  /** What people call it: the vendor's name. */
  readonly title: string;
  /** Where callers send their requests. The first is that of `chat`. */
  readonly paths: readonly [CallerPath, ...CallerPath[]];
  readonly clients: CallerClients;
  /** Whether a request to a path that is no dialect's comes from one of its clients. Absent where nothing tells. */
  isClient?(headers: IncomingHttpHeaders): boolean;
  /** The body of a short `chat` request, to try things with. */
  exampleBody(model: string): object;
  /** The name of the response header that carries our request id on this dialect's routes. */
  readonly requestIdHeader: 'x-request-id' | 'request-id';
  /** How a caller's body is scanned: for fields that `peek` must find wherever they stand, and for names spelled in another way than they must be. */
  readonly scan: JsonScanOptions;
  /** A text whose places `patchRequest` must know: a large body is searched for it as it arrives. Absent where there is none. */
  readonly mark?: { readonly text: Buffer; readonly max: number };

  /** Throws `GatewayError` 400 for what no provider could serve and for governed fields this gateway refuses. */
  peek(inbound: Inbound): Peek;
  /** Where one of its paths is for `count_tokens`. */
  readonly counting?: TokenCounting;
  /** What the caller says of itself, for the record; null where it says nothing. Absent where the format has no such fields. */
  readLabels?(document: JsonDocument): CallerLabels | null;
  /** Into the neutral form. Throws `GatewayError` 400 for what has no meaning elsewhere and must not be lost in silence. */
  readRequest(inbound: Inbound): ChatRequest;

  /** A whole answer's body. */
  writeResponse(response: ChatResponse, context: WriteContext): Buffer;
  openWriter(context: WriteContext): StreamWriter;
  /** The body of an error before the answer began. */
  writeError(error: GatewayError, requestId: string): Buffer;
  /** The bytes that end a stream on an error, in the dialect's own form; nothing follows them. */
  writeStreamError(error: GatewayError, requestId: string): Buffer;
  /** Bytes that keep a quiet stream alive and mean nothing. */
  readonly ping: Buffer;
}

/** Both roles, and the edits of a call that has this format on both sides. */
export interface RelayDialect<Name extends string = string, Quirks = object>
  extends CallerDialect<Name>,
    ProviderDialect<Name, Quirks> {
  readonly name: Name;
  /** The relayed request: the caller's bytes with the edits, the headers that may pass, no credential. */
  patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits<Quirks>): PatchedRequest;
  openRelay(peek: Peek, context: RelayContext): Relay;
  readEventError(frame: Frame): EventError | null;
  readonly answerWords: AnswerWords;
}
