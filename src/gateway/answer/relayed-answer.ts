/** A provider's answer whose head has come, as a relay takes it. */
import type { Target } from '../../catalog/model.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { AnyRelayDialect } from '../../dialects/index.ts';
import type { FramePatcher } from '../../dialects/interface/frame-patcher.ts';
import type { AnswerFlow, AnswerHeaders } from '../../upstream/answer-sink.ts';
import type { Framing } from '../../wire/framings.ts';

export interface RelayedAnswer {
  readonly target: Target;
  readonly headers: AnswerHeaders;
  readonly patcher: FramePatcher;
  /** What is spoken on both sides; null where the answer is translated. */
  readonly relay: AnyRelayDialect | null;
  readonly flow: AnswerFlow;
  /** Of a stream. */
  readonly framing: Framing;
}

/** Called once: null when the caller has everything it will get, an error when nothing has reached it. */
export type RelayDone = (error: GatewayError | null) => void;
