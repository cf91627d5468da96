import type { Body } from '../../core/body.ts';
import type { WriteTarget } from './write-target.ts';

/** What the gateway wants changed in a relayed request; the rest of the bytes stay as they are. */
export interface RequestEdits<Quirks = object> {
  /** The model's name at the provider. */
  readonly model: string;
  /** A cap of the gateway's own, for a caller that gave none; null leaves it to the provider. */
  readonly outputCap: number | null;
  /** Those of the provider. */
  readonly quirks: Quirks;
  /** Given where the request `needsTarget`. */
  readonly target?: WriteTarget<Quirks> | null;
}

/** A relayed request; `warnings` as those of `WrittenRequest`. */
export interface PatchedRequest {
  readonly headers: Record<string, string>;
  readonly body: Body;
  readonly warnings?: readonly string[];
}
