/**
 * An operation is what a route does with a request. A member of this family has, as data and pure functions, only what is specific to it;
 * `gateway/serve-call.ts` does the rest. It knows dialects by their interface, never by name, and nothing about keys, money or connections.
 */
import type { ChatRequest } from '../chat/request.ts';
import type { PriceLine } from '../core/rates/price-lines.ts';
import type { UnitKind } from '../core/units/units.ts';
import type { CallerDialect, ProviderDialect, RelayDialect } from '../dialects/dialect.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { FormRules } from '../dialects/interface/form.ts';
import type { Inbound } from '../dialects/interface/inbound.ts';
import type { Meter } from '../dialects/interface/meter.ts';
import type { StreamingPart } from '../dialects/interface/operation-part.ts';
import type { Peek } from '../dialects/interface/peek.ts';
import type { CountRequest } from '../dialects/interface/prompt-counter.ts';
import type { PartContext, Relay } from '../dialects/interface/relay.ts';
import type { RelayedRequest, RequestEdits } from '../dialects/interface/request-edits.ts';
import type { WriteTarget } from '../dialects/interface/write-target.ts';
import type { Tokenizer } from '../dialects/kit/meter/word-counter.ts';

interface AnyOperation {
  /** As in routes and settlements. */
  readonly name: OperationName;
  /** The permission that a key needs: the operation's own name, or that of the operation that it belongs to. */
  readonly permission: OperationName;
  /** Whether a request may be translated for a provider of another format; otherwise only providers of its format are called. */
  readonly isTranslated: boolean;
  /**
   * What makes a request cost less, as the end of a sentence. Absent: fewer tokens of the answer, which the caller can limit.
   */
  readonly saving?: string;
  /** What it takes as a form in this format; null or absent if its requests are JSON. */
  form?(dialect: CallerDialect): FormRules | null;
  /** The body of a short request, for examples and tests. Absent if it is that of a call. */
  exampleBody?(dialect: CallerDialect, model: string): object;
  /** Reads what is asked for. Throws `GatewayError` 400 for what no provider can serve, and for governed fields. */
  peek(dialect: CallerDialect, inbound: Inbound): Peek;
  /** The whole number of tokens that it counts against token limits until it has ended. */
  tokensAbout(peek: Peek): number;
}

/** The most that it can cost is held before a provider is called; its answer is metered, settled and recorded. */
export interface PaidOperation extends AnyOperation {
  readonly isPaid: true;
  /** The lines of a price list that it may be charged by. */
  readonly priceLines: readonly PriceLine[];
  /** The kinds of `units` that it may be charged by besides. */
  readonly unitKinds: readonly UnitKind[];
  /** Whether an answer may be given again to an equal request whose caller wants that: it then says the same. */
  readonly mayBeKept: boolean;
  /** What its bound is computed from if it is relayed (`billing/bound.ts`); a translated request provides that itself. */
  bound(peek: Peek): BoundBasis;
  /** The relayed request: the caller's bytes with the edits, the permitted headers, no credential. */
  patchRequest(dialect: RelayDialect, inbound: Inbound, peek: Peek, edits: RequestEdits): RelayedRequest;
  /** For one answer with the format of `dialect` on both sides. */
  openRelay(dialect: RelayDialect, peek: Peek, context: PartContext): Relay;
  /** What is different about its streams with the format of `dialect` on both sides; null or absent if nothing. */
  streaming?(dialect: RelayDialect): StreamingPart | null;
  /** For one answer that is translated from the format of `dialect`; `tokenizer` is the target's, if known. */
  openMeter(dialect: ProviderDialect, peek: Peek, tokenizer?: Tokenizer): Meter;
}

/** Costs nothing and leaves no record: a provider is asked, and if none can answer, the gateway estimates. */
export interface FreeOperation extends AnyOperation {
  readonly isPaid: false;
  /** The longest wait for a provider, ms. */
  readonly answerMs: number;
  /** The longest answer that is read, bytes. */
  readonly answerBytesMax: number;
  /** Turns the body of a provider's 200 into the answer for the caller; null if it is not an answer. */
  readAnswer(dialect: CallerDialect, body: Buffer): Buffer | null;
  /**
   * The request for a provider of another format, `provider`; null if such providers do not have this operation. Throws `GatewayError` 400
   * if that format cannot express the request. Required if `isTranslated`, with `translateAnswer`.
   */
  translate?(provider: ProviderDialect, request: ChatRequest, target: WriteTarget): CountRequest | null;
  /** As `readAnswer`, for an answer in the format of `provider`. */
  translateAnswer?(dialect: CallerDialect, provider: ProviderDialect, body: Buffer): Buffer | null;
  /** The answer for the caller if no provider has one. */
  estimate(dialect: CallerDialect, request: ChatRequest): Buffer;
}

export type Operation = PaidOperation | FreeOperation;

/** The fields of a peek that the bound of a call is computed from. */
export type BoundBasis = Pick<
  Peek,
  | ('outputCap' | 'choices' | 'predictedTokens' | 'requests' | 'repeatedTokens')
  | ('bodyBytes' | 'values' | 'growth' | 'media' | 'promptUnbounded' | 'compacts')
  | (
      | 'hasTools'
      | 'namedTools'
      | 'hasFormat'
      | 'serverToolUses'
      | 'limitsToolsTogether'
      | 'translatedToolUses'
      | 'serverTools'
      | 'searchField'
    )
>;
