import type { FramingName } from '../../wire/frames/framings.ts';
import type { FormRules } from './form.ts';
import type { Inbound } from './inbound.ts';
import type { Peek } from './peek.ts';
import type { PartContext, Relay } from './relay.ts';
import type { RelayedRequest, RequestEdits } from './request-edits.ts';

/** A format's request for an operation that is only relayed, and its answer. */
export interface OperationPart {
  /** The body of a short request, for examples and tests. */
  exampleBody(model: string): object;
  /** As `peek` of a call. */
  peek(inbound: Inbound): Peek;
  /** As `patchRequest` of a call, which edits the request if this is absent. */
  patchRequest?(inbound: Inbound, peek: Peek, edits: RequestEdits): RelayedRequest;
  /** What it takes as a form. Absent: its requests are JSON. */
  readonly form?: FormRules;
  /** Absent: as answers of conversations. */
  readonly streaming?: StreamingPart;
  /** For one answer with this format on both sides. */
  openRelay(peek: Peek, context: PartContext): Relay;
}

/** What is different about an operation's streams. */
export interface StreamingPart {
  /** How an answer may be framed: the first one that its type fits. Absent: as the provider's route says. */
  readonly framings?: readonly FramingName[];
  /** Of the longest frame, bytes; it is counted in the memory for bodies. Absent: as usual. */
  readonly frameBytesMax?: number;
}
