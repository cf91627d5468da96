/** A provider's answer whose head has arrived, as a relay takes it. */
import type { Clock } from '../../core/clock.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { TurnQueue } from '../../core/turns/turn-queue.ts';
import type { AnyRelayDialect } from '../../dialects/index.ts';
import type { Relay } from '../../dialects/interface/relay.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { AnswerFlow, AnswerHeaders } from '../../upstream/answer-sink.ts';
import type { Framing } from '../../wire/frames/framings.ts';
import type { MemoryBudget } from '../capacity/memory-budget.ts';
import type { ParseLimits } from '../capacity/parse-limits.ts';
import type { SettlePorts } from '../end/settle.ts';
import type { Watch } from '../watch.ts';
import type { FrameCheck } from './frame-check.ts';

/** What a relay uses of the gateway. */
export interface RelayPorts extends SettlePorts {
  readonly clock: Clock;
  readonly watch: Watch;
  readonly memory: MemoryBudget;
  readonly limits: ParseLimits & { readonly answerBytesMax: number };
  readonly timeouts: {
    readonly idleMs: number;
    readonly writeStallMs: number;
    readonly totalMs: number;
    readonly pingMs: number;
  };
  /** For complete answers. */
  readonly turnQueues: { readonly answers: TurnQueue };
  readonly log: Pick<Log, 'error'>;
  readonly metrics: Pick<Metrics, 'alert' | 'errorAnswered'>;
}

export interface RelayedAnswer {
  readonly headers: AnswerHeaders;
  readonly relay: Relay;
  readonly check: FrameCheck;
  /** The dialect of both sides; null if the answer is translated. */
  readonly shared: AnyRelayDialect | null;
  /** Set if the provider answers in a format of its own: what is made of a whole answer may be a stream elsewhere, such as text. */
  readonly own: { wholeType(): string } | null;
  readonly flow: AnswerFlow;
}

export interface StreamedAnswer extends RelayedAnswer {
  readonly framing: Framing;
  /** Of the longest frame, if that may be longer than usual. */
  readonly frameBytesMax?: number | undefined;
}

/** Called once: null if the caller has everything it will get, an error if nothing has reached it. */
export type RelayDone = (error: GatewayError | null) => void;
