/**
 * Which frames of a provider's stream must not reach the caller: those that repeat its credential, or reveal operator details.
 */
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import type { AnyRelayDialect } from '../../dialects/index.ts';
import type { SilentFailure } from '../../dialects/interface/meter.ts';
import type { FrameGuard, Relay } from '../../dialects/interface/relay.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { Admitted } from '../phases.ts';
import { answerFault } from './answer-fault.ts';

/** The place of an echo, for the log. */
export const ERROR_EVENT = 'error event';

/** A provider's error event as the caller gets it, and the error by itself, if clients also expect that. */
export interface RelayedError {
  readonly event: Buffer;
  readonly alone: Buffer | null;
}

/** Checks the frames of one answer. */
export class FrameCheck implements FrameGuard {
  readonly #call: Admitted;
  /** The dialect of both sides; null if the answer is translated, so its frames do not reach the caller. */
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
    const found = this.#dialect?.readEventError(frame) ?? null;
    if (found !== null && !found.isSafe) throw found.error;
  }

  /** Throws for a frame that was just relayed and must not reach the caller. Error frames are checked separately. */
  refuseLeaking(frame: Frame, { meter }: Relay): void {
    if (meter.state !== 'failed' && this.#leaksBesideWords(frame)) throw new GatewayError('bad_gateway');
  }

  /** The last frame, which was complete except for its end, as the caller gets it. */
  lastOf(frame: Frame, relay: Relay): Buffer | null {
    relay.meter.frame(frame);
    const edited = relay.edit(frame);
    return relay.meter.state !== 'failed' && this.#leaksBesideWords(frame) ? null : edited;
  }

  leaksCredential(error: Buffer): boolean {
    return this.#call.echo?.isIn(error, ERROR_EVENT) === true;
  }

  /**
   * What the caller gets of the frame that ended a failed stream and was edited to `last`: that, or an error in our own words.
   */
  failureIn(frame: Frame | null, last: Buffer | null): RelayedError | GatewayError {
    if (last === null || this.leaksCredential(last)) return new GatewayError('bad_gateway');
    const found = frame === null ? null : (this.#dialect?.readEventError(frame) ?? null);
    if (found !== null && !found.isSafe) return found.error;
    return { event: last, alone: found?.alone ?? null };
  }

  /** Whether the frame is a separate error that may reach the caller. */
  isErrorAlone(frame: Frame): boolean {
    const found = this.#dialect?.readEventError(frame) ?? null;
    return found !== null && found.alone === null && found.isSafe && !this.leaksCredential(frame.bytes);
  }

  /** Whether the frame ends the stream, whatever came before it. */
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
