/** A provider's answer whose head has come, as a relay takes it. */
import type { GatewayError } from '../../core/errors.ts';
import type { AnyRelayDialect } from '../../dialects/index.ts';
import type { Relay } from '../../dialects/interface/relay.ts';
import type { AnswerFlow, AnswerHeaders } from '../../upstream/answer-sink.ts';
import type { Framing } from '../../wire/framings.ts';
import type { FrameCheck } from './frame-check.ts';

export interface RelayedAnswer {
  readonly headers: AnswerHeaders;
  readonly relay: Relay;
  readonly check: FrameCheck;
  /** What is spoken on both sides; null where the answer is translated. */
  readonly shared: AnyRelayDialect | null;
  readonly flow: AnswerFlow;
  /** Of a stream. */
  readonly framing: Framing;
}

/** Called once: null when the caller has everything it will get, an error when nothing has reached it. */
export type RelayDone = (error: GatewayError | null) => void;
