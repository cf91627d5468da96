import type { Body, StreamedBody } from '../../core/body.ts';
import type { AnyProviderDialect, AnyRelayDialect } from '../../dialects/index.ts';
import type { StreamingPart } from '../../dialects/interface/operation-part.ts';
import type { FrameGuard, Relay } from '../../dialects/interface/relay.ts';
import type { OpenedFormat } from './opened-format.ts';

/** How one attempt communicates with its target. */
export interface Lane {
  /** The provider's dialect. */
  readonly upstream: AnyProviderDialect;
  /** The same, if the caller speaks it too; otherwise null. */
  readonly shared: AnyRelayDialect | null;
  /** Set if the provider has a format of its own for the operation: `upstream` is then the one that it replaces. */
  readonly own: OpenedFormat | null;
  /** What is different about streams; null if nothing. */
  readonly streaming: StreamingPart | null;
  /** Without a credential. */
  readonly headers: Record<string, string>;
  readonly body: Body | StreamedBody;
  /** What of the request could not be expressed in the provider's format. */
  readonly warnings: readonly string[];
  /** Opens the relay for the answer; the call's warnings must be this lane's by then. */
  openRelay(guard: FrameGuard): Relay;
}
