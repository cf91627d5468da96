import type { OperationName } from './caller-path.ts';
import type { Inbound } from './inbound.ts';
import type { StreamingPart } from './operation-part.ts';
import type { Peek } from './peek.ts';
import type { PartContext, Relay } from './relay.ts';
import type { RelayedRequest } from './request-edits.ts';
import type { UpstreamError } from './upstream-error.ts';

/**
 * A format that one operation has at some provider alone. It belongs to the dialect whose callers ask for the operation: their request is
 * written in it, and its answer is read for them. A provider names it where it declares the operation's path.
 */
export interface OperationFormat<Name extends string = string> {
  /** As in records. */
  readonly name: Name;
  readonly operation: OperationName;
  /**
   * The request for `model`, the name at the provider. Throws `GatewayError` 400 for what the format cannot express and must not be lost
   * silently: such a provider is not asked. Called more than once for a call, so it has no effect.
   */
  writeRequest(asked: AskedInFormat, model: string): FormatRequest;
  /** Absent: its answers are no streams. */
  readonly streaming?: StreamingPart;
  /** For one answer. `asked` may change until the answer is there: of a form, all is known by then. */
  openRelay(asked: AskedInFormat, context: PartContext): Relay;
  /** The type of the whole answer that the caller gets; if absent, JSON. */
  wholeType?(asked: AskedInFormat): string;
  /** As of a dialect; its body never reaches the caller as it is. */
  readError(status: number, headers: Record<string, string | string[] | undefined>, body: Buffer): UpstreamError;
}

/** What the caller asks for, as far as it has arrived. */
export interface AskedInFormat {
  readonly inbound: Inbound;
  readonly peek: Peek;
}

export interface FormatRequest extends RelayedRequest {
  readonly place: FormatPlace;
}

/** Where it goes, below the path of the operation at the provider. */
export interface FormatPlace {
  /** Begins with a slash, or is empty. */
  readonly below: string;
  /** What follows the `?`; empty without one. */
  readonly query: string;
}
