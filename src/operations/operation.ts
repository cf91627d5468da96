/**
 * An operation is what a route does with a request. A member of this family says, as data and pure functions, what is peculiar to
 * it; the one trip of the gateway (`gateway/serve-call.ts`) does the rest. It knows dialects by their interface, never by name, and
 * nothing of keys, money or connections.
 */
import type { ChatRequest } from '../chat/request.ts';
import type { CallerDialect, ProviderDialect, RelayDialect } from '../dialects/dialect.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { Inbound } from '../dialects/interface/inbound.ts';
import type { Meter } from '../dialects/interface/meter.ts';
import type { Peek } from '../dialects/interface/peek.ts';
import type { Relay, RelayContext } from '../dialects/interface/relay.ts';
import type { Tokenizer } from '../dialects/kit/meter/word-counter.ts';

interface AnyOperation {
  /** As routes and settlements have it. */
  readonly name: OperationName;
  /** What a key must be permitted: its own name, or that of the operation that it is a part of. */
  readonly permission: OperationName;
  /** Whether a request may go through the neutral form to a provider of another format; else only those of its own are asked. */
  readonly isTranslated: boolean;
  /** What is asked for. Throws `GatewayError` 400 for what nobody can serve, and for governed fields. */
  peek(dialect: CallerDialect, inbound: Inbound): Peek;
  /** What a limit of tokens takes it for until it is over: a whole number. */
  tokensAbout(peek: Peek): number;
}

/** The most it can cost is held before a provider is asked; its answer is metered, settled and recorded. */
export interface PaidOperation extends AnyOperation {
  readonly isPaid: true;
  /** What the most it can cost goes by where it is relayed (`billing/bound.ts`); a translated request says that itself. */
  bound(peek: Peek): BoundBasis;
  /** For one answer that has the format of `dialect` on both sides. */
  openRelay(dialect: RelayDialect, peek: Peek, context: RelayContext): Relay;
  /** For one that is translated from the format of `dialect`; `tokenizer` is the target's, where it is known. */
  openMeter(dialect: ProviderDialect, peek: Peek, tokenizer?: Tokenizer): Meter;
}

/** Costs nothing and leaves no record: a provider that knows is asked, and where none does, the gateway says what it thinks. */
export interface FreeOperation extends AnyOperation {
  readonly isPaid: false;
  /** The longest that a provider is waited for, ms. */
  readonly answerMs: number;
  /** The longest answer that is read. */
  readonly answerBytesMax: number;
  /** The answer for the caller, from that of a provider of its format with status 200; null where it is none. */
  readAnswer(dialect: CallerDialect, body: Buffer): Buffer | null;
  /** The answer for the caller where no provider gives one. */
  estimate(dialect: CallerDialect, request: ChatRequest): Buffer;
}

export type Operation = PaidOperation | FreeOperation;

/** What of a peek the most that a call can cost is reckoned from. */
export type BoundBasis = Pick<
  Peek,
  | ('outputCap' | 'choices' | 'predictedTokens')
  | ('bodyBytes' | 'values' | 'growth' | 'media' | 'promptUnbounded' | 'compacts')
  | ('hasTools' | 'namedTools' | 'hasFormat' | 'serverToolUses' | 'searchField')
>;
