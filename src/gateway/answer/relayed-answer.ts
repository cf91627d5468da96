/** A provider's answer whose head has come, as a relay takes it. */
import type { Target } from '../../catalog/model.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { FramePatcher } from '../../dialects/dialect.ts';
import type { AnswerFlow, AnswerHeaders } from '../../upstream/client.ts';

export interface RelayedAnswer {
  readonly target: Target;
  readonly headers: AnswerHeaders;
  readonly patcher: FramePatcher;
  readonly flow: AnswerFlow;
}

/** Called once: null when the caller has everything it will get, an error when nothing has reached it. */
export type RelayDone = (error: GatewayError | null) => void;
