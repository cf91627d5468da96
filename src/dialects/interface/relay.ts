import type { WholeBody } from '../../core/body.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { Tokenizer } from '../kit/meter/word-counter.ts';
import type { WholeAnswer } from '../kit/relay/whole-answer.ts';
import type { Meter, SilentFailure } from './meter.ts';

/**
 * Takes one provider's answer to the caller: it meters what it reads, and edits or translates what it returns. Bytes that need no edit are
 * returned unchanged. Its user need not know the lane.
 */
export interface Relay {
  /** What is known about the answer so far. */
  readonly meter: Meter;
  /**
   * One frame of a stream: the bytes for the caller (the frame's own if nothing changed), or null for none. Throws what the guard throws,
   * and `GatewayError` if the frame cannot be translated.
   */
  frame(frame: Frame): Buffer | null;
  /** Whether the last frame differed only in its text from an earlier one that was read. */
  readonly isKnown: boolean;
  /**
   * If `bytes` is a frame that differs from the last one only in its text: meters it, writes the result to `into` at `at`, and returns its
   * length. Otherwise returns -1 and does nothing.
   */
  again(bytes: Buffer, into: Buffer, at: number): number;
  /** A frame after the end: edited as by `frame`, but not metered. */
  edit(frame: Frame): Buffer | null;
  /** Whether bytes after the last frame are passed on; otherwise `end` returns all that is still due. */
  readonly passesRest: boolean;
  /** To be called when the stream has ended without its last frame: returns what is still due to the caller, or null. */
  end(): Buffer | null;
  /** The bytes that end the stream with this error, if they depend on what was sent before; otherwise null. */
  fail(error: GatewayError): Buffer | null;
  /** Meters a whole answer; afterwards the meter's state shows whether it is one. */
  readBody(answer: WholeAnswer): void;
  /** The whole answer as the caller gets it; only for one that did not fail. Throws `GatewayError` if it cannot be translated. */
  editBody(answer: WholeAnswer): WholeBody;
}

/** What a dialect's relay needs to know about the call. */
export interface RelayContext<Quirks = object> {
  /** The model string the caller sent; the answer has the same. */
  readonly callerModel: string;
  /** The name of the serving provider, as in records and filters; if absent, the answer does not name it. */
  readonly provider?: string;
  /** The target's, if known; delivered text is then counted exactly. */
  readonly tokenizer?: Tokenizer;
  /** If absent, every frame passes. */
  readonly guard?: FrameGuard;
  /** The provider's, in the relay's dialect; the usual ones if absent. */
  readonly quirks?: Quirks;
  /** The price of the usage seen so far as an exact decimal number literal in USD, or null when it has no price. */
  cost(): string | null;
}

/** The same for an operation whose answers are not only tokens. */
export interface PartContext<Quirks = object> extends RelayContext<Quirks> {
  /** The place of the price of a unit, such as `image/1024x1024/high`, in the target's price list; 0 if it has none. See `unitLineOf`. */
  unitLine(name: string): number;
  /** Bytes of the form's files that have arrived, 0 if the request is no form. Absent if that is not known. */
  fileBytes?(): number;
}

/** Keeps from the caller what must not reach it, in any format. */
export interface FrameGuard {
  /** Text up to this length cannot contain anything that must not leave. Constant during one answer. */
  readonly uncheckedBytesMax: number;
  /** For a frame that is not part of the answer: whether it is left out. */
  leavesOut(frame: Frame): boolean;
  /** For a frame that shows that the answer has failed. Throws what the caller gets instead. */
  refuseFailing(frame: Frame, failure: SilentFailure): void;
}
