import type { Body } from '../../core/body.ts';
import type { OutputCapFields } from './quirks.ts';
import type { WriteTarget } from './write-target.ts';

/** What the gateway wants changed in a relayed request; the rest of the bytes stay as they are. */
export interface RequestEdits {
  /** The model's name at the provider. */
  readonly model: string;
  /** A cap of the gateway's own, for a caller that gave none; null leaves it to the provider. */
  readonly outputCap: number | null;
  /** See `Quirks`. */
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
