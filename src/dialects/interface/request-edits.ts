import type { Body, StreamedBody } from '../../core/body.ts';
import type { OperationName } from './caller-path.ts';
import type { WriteTarget } from './write-target.ts';

/** What the gateway changes in a relayed request; all other bytes stay the same. */
export interface RequestEdits<Quirks = object> {
  /** `chat` if absent. */
  readonly operation?: OperationName;
  /** The model's name at the provider. */
  readonly model: string;
  /** The gateway's cap for a caller that set none; null leaves it to the provider. */
  readonly outputCap: number | null;
  /** The provider's. */
  readonly quirks: Quirks;
  /** Set if the request `needsTarget`. */
  readonly target?: WriteTarget<Quirks> | null;
}

/** A relayed request; `warnings` as in `WrittenRequest`. */
export interface PatchedRequest<Sent = Body> {
  readonly headers: Record<string, string>;
  readonly body: Sent;
  readonly warnings?: readonly string[];
}

/** Of any operation: that of a form is sent as it arrives. */
export type RelayedRequest = PatchedRequest<Body | StreamedBody>;
