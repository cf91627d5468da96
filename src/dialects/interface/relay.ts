import type { WholeBody } from '../../core/body.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { Tokenizer } from '../kit/meter/word-counter.ts';
import type { WholeAnswer } from '../kit/relay/whole-answer.ts';
import type { Meter, SilentFailure } from './meter.ts';

/**
 * Takes one provider's answer on its way to the caller: what it reads is metered, what it gives is edited or translated. Bytes
 * it has nothing to do with are given as they came. Its user need not know which lane it serves.
 */
export interface Relay {
  /** What is known of the answer so far. */
  readonly meter: Meter;
  /**
   * One frame of a stream: the bytes for the caller (the frame's own when nothing changed), or null for none. Throws what the
   * guard throws, and `GatewayError` where the frame cannot be translated.
   */
  frame(frame: Frame): Buffer | null;
  /** Whether the last frame differed only in its text from one that was looked at before it. */
  readonly isKnown: boolean;
  /**
   * Takes bytes that begin with a frame. Where they are one that differs from the last frame in its text only, it is metered,
   * what becomes of it is put into `into` at `at`, and its length is returned; else -1, and nothing has happened.
   */
  again(bytes: Buffer, into: Buffer, at: number): number;
  /** A frame that comes after the end, as `frame` would give it: it counts for nothing. */
  edit(frame: Frame): Buffer | null;
  /** Whether what comes after the last frame may be the caller's: else `end` says all that is still due. */
  readonly passesRest: boolean;
  /** The stream has ended well without its last frame: what the caller is still due, or null. */
  end(): Buffer | null;
  /** Meters a whole answer: then the meter's state says whether it is one. */
  readBody(answer: WholeAnswer): void;
  /** The whole answer as the caller gets it; asked of one that did not fail. Throws `GatewayError` where it cannot be translated. */
  editBody(answer: WholeAnswer): WholeBody;
}

/** What a dialect's relay may ask of the call it serves. */
export interface RelayContext {
  /** The model string the caller sent; it is what the caller reads back. */
  readonly callerModel: string;
  /** The name of the provider that serves, as records and filters have it; absent, it is not told. */
  readonly provider?: string;
  /** The target's, where it is known; then what is delivered is counted exactly. */
  readonly tokenizer?: Tokenizer;
  /** Absent, every frame passes. */
  readonly guard?: FrameGuard;
  /** The price of the usage seen so far as an exact decimal number literal in USD, or null when it has no price. */
  cost(): string | null;
}

/** What must not reach the caller, whatever the format. */
export interface FrameGuard {
  /** What is not longer repeats nothing that must stay inside, wherever it stands. Of one answer it is always the same. */
  readonly uncheckedBytesMax: number;
  /** Of a frame that is no part of the answer: whether the answer goes on without it. */
  leavesOut(frame: Frame): boolean;
  /** Of one that says that the answer has failed. Throws what the caller gets instead. */
  refuseFailing(frame: Frame, failure: SilentFailure): void;
}
