/** Which frames of a provider's stream must not reach the caller: what repeats its credential, and what tells of its operator's affairs. */
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import type { AnyRelayDialect } from '../../dialects/index.ts';
import type { FramePatcher } from '../../dialects/interface/frame-patcher.ts';
import type { Meter } from '../../dialects/interface/meter.ts';
import type { Frame } from '../../wire/frame.ts';
import type { Call } from '../call.ts';
import type { RelayedAnswer } from './relayed-answer.ts';

/** Where it was said, for the log. */
export const ERROR_EVENT = 'error event';

/** A provider's error event as the caller gets it, and the error by itself where clients look for that, too. */
export interface RelayedError {
  readonly event: Buffer;
  readonly alone: Buffer | null;
}

/** Of one answer. */
export class FrameCheck {
  readonly #call: Call;
  readonly #meter: Meter;
  readonly #patcher: FramePatcher;
  readonly #relay: AnyRelayDialect | null;

  constructor(call: Call, meter: Meter, { patcher, relay }: Pick<RelayedAnswer, 'patcher' | 'relay'>) {
    this.#call = call;
    this.#meter = meter;
    this.#patcher = patcher;
    this.#relay = relay;
  }

  /** Throws for a frame that says that the answer has failed, and that cannot be given to the caller. */
  refuseFailing(frame: Frame): void {
    if (this.#meter.failure === 'unreadable') {
      throw new GatewayError('bad_gateway', { message: 'The provider sent a stream event that is not JSON.' });
    }
    if (this.leaksCredential(frame.bytes)) throw new GatewayError('bad_gateway');
    const said = this.#relay?.readEventError(frame) ?? null;
    if (said !== null && !said.isSafe) throw said.error;
  }

  /** Of what is no part of an answer: the answer goes on without it. */
  isUnknownEcho({ bytes }: Frame): boolean {
    const meter = this.#meter;
    if (meter.isUnknown !== true || meter.isRepeatable === true || meter.ended || meter.state === 'failed')
      return false;
    return this.#call.echo?.isIn(bytes, 'event', Number.POSITIVE_INFINITY) === true;
  }

  /** Of an event that was just patched. One that is like another in all but its text is looked at once, and one of an error by itself. */
  isAnswerEcho(frame: Frame): boolean {
    const relay = this.#relay;
    if (relay === null || this.#patcher.isRepeatable === true || this.#meter.state === 'failed') return false;
    return this.#call.echo?.isInEvent(frame, relay.answerWords) === true;
  }

  leaksCredential(said: Buffer): boolean {
    return this.#call.echo?.isIn(said, ERROR_EVENT) === true;
  }

  /** What the caller gets of the frame that ended a failed stream, and that became `last`: that, or an error in our words. */
  failureIn(frame: Frame | null, last: Buffer | null): RelayedError | GatewayError {
    if (last === null || this.leaksCredential(last)) return new GatewayError('bad_gateway');
    const said = frame === null ? null : (this.#relay?.readEventError(frame) ?? null);
    if (said !== null && !said.isSafe) return said.error;
    return { event: last, alone: said?.alone ?? null };
  }

  /** The frame as the caller gets it where it is an error by itself, and may be told; else null. */
  errorAlone(frame: Frame): Buffer | null {
    const said = this.#relay?.readEventError(frame) ?? null;
    if (said === null || said.alone !== null || !said.isSafe || this.leaksCredential(frame.bytes)) return null;
    return this.#patcher.frame(frame);
  }

  /** Whether nothing may follow the frame, whatever came before it. */
  isLast(frame: Frame): boolean {
    const { peek } = this.#call;
    assert(peek !== null && this.#relay !== null, 'only a relayed answer has an error of its own format');
    const meter = this.#relay.openMeter(peek);
    meter.frame(frame);
    return meter.ended;
  }
}
