/** Which frames of a provider's stream must not reach the caller: what repeats its credential, and what shows of its operator's affairs. */
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import type { AnyRelayDialect } from '../../dialects/index.ts';
import type { SilentFailure } from '../../dialects/interface/meter.ts';
import type { FrameGuard, Relay } from '../../dialects/interface/relay.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { Admitted } from '../phases.ts';
import { answerFault } from './answer-fault.ts';

/** Where it was said, for the log. */
export const ERROR_EVENT = 'error event';

/** A provider's error event as the caller gets it, and the error by itself where clients look for that, too. */
export interface RelayedError {
  readonly event: Buffer;
  readonly alone: Buffer | null;
}

/** Of one answer. */
export class FrameCheck implements FrameGuard {
  readonly #call: Admitted;
  /** What is spoken on both sides; null where the answer is translated: then its frames are none of the caller's. */
  readonly #dialect: AnyRelayDialect | null;

  constructor(call: Admitted, dialect: AnyRelayDialect | null) {
    this.#call = call;
    this.#dialect = dialect;
  }

  get uncheckedBytesMax(): number {
    const { echo } = this.#call;
    return echo === null ? Number.POSITIVE_INFINITY : echo.lengthMin - 1;
  }

  leavesOut({ bytes }: Frame): boolean {
    return this.#call.echo?.isIn(bytes, 'event', Number.POSITIVE_INFINITY) === true;
  }

  refuseFailing(frame: Frame, failure: SilentFailure): void {
    this.#call.answerFault = answerFault(this.#call, frame);
    if (failure === 'unreadable') {
      throw new GatewayError('bad_gateway', { message: 'The provider sent a stream event that is not JSON.' });
    }
    if (this.leaksCredential(frame.bytes)) throw new GatewayError('bad_gateway');
    const said = this.#dialect?.readEventError(frame) ?? null;
    if (said !== null && !said.isSafe) throw said.error;
  }

  /** Throws for a frame that was just relayed and must not reach the caller. One of an error is looked at by itself. */
  refuseLeaking(frame: Frame, { meter }: Relay): void {
    if (meter.state !== 'failed' && this.#leaksBesideWords(frame)) throw new GatewayError('bad_gateway');
  }

  /** The frame that was missing nothing but its end, as the caller gets it. */
  lastOf(frame: Frame, relay: Relay): Buffer | null {
    relay.meter.frame(frame);
    const edited = relay.edit(frame);
    return relay.meter.state !== 'failed' && this.#leaksBesideWords(frame) ? null : edited;
  }

  leaksCredential(said: Buffer): boolean {
    return this.#call.echo?.isIn(said, ERROR_EVENT) === true;
  }

  /** What the caller gets of the frame that ended a failed stream, and that became `last`: that, or an error in our words. */
  failureIn(frame: Frame | null, last: Buffer | null): RelayedError | GatewayError {
    if (last === null || this.leaksCredential(last)) return new GatewayError('bad_gateway');
    const said = frame === null ? null : (this.#dialect?.readEventError(frame) ?? null);
    if (said !== null && !said.isSafe) return said.error;
    return { event: last, alone: said?.alone ?? null };
  }

  /** Whether the frame is an error by itself, which may reach the caller. */
  isErrorAlone(frame: Frame): boolean {
    const said = this.#dialect?.readEventError(frame) ?? null;
    return said !== null && said.alone === null && said.isSafe && !this.leaksCredential(frame.bytes);
  }

  /** Whether nothing may follow the frame, whatever came before it. */
  isLast(frame: Frame): boolean {
    assert(this.#dialect !== null, 'only a relayed answer has an error of its own format');
    const meter = this.#dialect.openMeter(this.#call.peek);
    meter.frame(frame);
    return meter.ended;
  }

  #leaksBesideWords(frame: Frame): boolean {
    const { echo } = this.#call;
    return echo !== null && this.#dialect !== null && echo.isInEvent(frame, this.#dialect.answerWords);
  }
}
