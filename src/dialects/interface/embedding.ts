import type { Inbound } from './inbound.ts';
import type { Peek } from './peek.ts';
import type { Relay, RelayContext } from './relay.ts';

/** A format's request for the vectors of texts, and its answer. */
export interface Embedding {
  /** The body of a short request, for examples and tests. */
  exampleBody(model: string): object;
  /** As `peek` of a call; the cap on its output is 0. */
  peek(inbound: Inbound): Peek;
  /** For one answer with this format on both sides; `patchRequest` edits the request. */
  openRelay(peek: Peek, context: RelayContext): Relay;
}
