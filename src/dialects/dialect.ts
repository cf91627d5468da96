/**
 * A dialect is a wire format for talking to language models. The gateway speaks each in two
 * roles: to callers, as a server; to providers, as a client. A member of this family is a folder
 * that knows everything about one format; nothing outside knows a field of it.
 *
 * The methods below serve the relay lane, where both sides speak the same dialect and bytes pass
 * but for a closed list of edits. Reading into and writing from the neutral form join this
 * interface with the translate lane.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Body } from '../core/body.ts';
import type { ErrorCode, GatewayError } from '../core/errors.ts';
import type { Usage } from '../core/usage.ts';
import type { JsonDocument } from '../wire/json-scan.ts';
import type { SseFrame } from '../wire/sse.ts';

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
  /** Whether the caller asked for a usage chunk at the end of a stream, in the dialect's own way. */
  readonly wantsUsage: boolean;
  /** Whether what the provider will read is not bounded by this body: media by address, server tools, stored state. */
  readonly promptUnbounded: boolean;
  /** Length of the whole body. */
  readonly bodyBytes: number;
}

/** What the gateway wants changed in a relayed request; the rest of the bytes stay as they are. */
export interface RequestEdits {
  /** The model's name at the provider. */
  readonly model: string;
  /** A lower output cap for an account that cannot pay for the default; null leaves it alone. */
  readonly outputCap: number | null;
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
  /** The price of the usage seen so far as an exact decimal number literal in USD, or null when it has no price. */
  cost(): string | null;
}

/** Edits the answers of one relayed call. Bytes it has nothing to do with are returned as they came. */
export interface FramePatcher {
  /** One frame of a stream: the bytes to pass on (the frame's own when nothing changed), or null to drop it. */
  frame(frame: SseFrame): Buffer | null;
  /** A whole, successful, non-streamed answer. */
  body(body: Buffer): Buffer;
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

/** What a meter saw delivered: the basis of an estimate when the provider reports no usage. */
export interface Delivered {
  /** UTF-8 bytes of text, reasoning and tool arguments the answer carried so far. */
  readonly outputBytes: number;
}

/** Watches one call's answer, in either lane: the only place that knows the dialect's usage rules. */
export interface Meter {
  /** One frame of a stream, before it is patched. */
  frame(frame: SseFrame): void;
  /** A whole non-streamed answer. */
  body(body: Buffer): void;
  /** Usage as the provider reported it; null when it has not, or when what it reported is no usage. */
  usage(): Usage | null;
  /** Whether a usage was reported that is no usage (negative, not a number): a metric and an alert. */
  usageInvalid(): boolean;
  delivered(): Delivered;
  readonly state: MeterState;
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
  readonly status: number;
  /** True when the provider's own body may go to the caller as it is (a 4xx about the request itself). */
  readonly relayable: boolean;
  readonly retryAfterSeconds: number | null;
  /** The provider's message without anything secret, for the record; at most 200 characters. */
  readonly message: string;
}

export interface Dialect {
  readonly name: DialectName;
  /** The name of the response header that carries our request id on this dialect's routes. */
  readonly requestIdHeader: 'x-request-id' | 'request-id';

  /** Field names whose places the body scan reports wherever they stand: media, stored state, server tools. */
  readonly watchedKeys: ReadonlySet<string>;

  // As the caller speaks it.
  /** Throws `GatewayError` 400 for what no provider could serve and for governed fields this gateway refuses. */
  peek(inbound: Inbound): Peek;
  /** The body of an error before the answer began. */
  writeError(error: GatewayError, requestId: string): Buffer;
  /** The bytes that end a stream on an error, in the dialect's own form; nothing follows them. */
  writeStreamError(error: GatewayError, requestId: string): Buffer;
  /** Bytes that keep a quiet stream alive and mean nothing. */
  readonly ping: Buffer;

  // As a provider speaks it.
  /** The relayed request: the caller's bytes with the edits, the headers that may pass, no credential. */
  patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits): Pick<Outbound, 'headers' | 'body'>;
  openPatcher(peek: Peek, context: AnswerContext): FramePatcher;
  readError(status: number, headers: Record<string, string | string[] | undefined>, body: Buffer): UpstreamError;

  // In both lanes.
  openMeter(peek: Peek): Meter;
}
