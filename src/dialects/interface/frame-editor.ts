import type { WholeBody } from '../../core/body.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { TextTemplate } from '../kit/relay/text-template.ts';
import type { WholeAnswer } from '../kit/relay/whole-answer.ts';

/** Turns one answer's frames, or its whole body, into what the caller gets: the half of a relay that does not meter. */
export interface FrameEditor {
  /** The bytes to pass on (the frame's own if nothing changed), or null for none. */
  frame(frame: Frame): Buffer | null;
  /**
   * How to write all frames that differ only in their text from the last argument of `frame`, which `template` has learned and which became
   * `edited`. Null if they are not all written alike.
   */
  recipe(template: TextTemplate, frame: Frame, edited: Buffer): FrameRecipe | null;
  /** See `Relay.end`. Absent if bytes after the last frame are passed on. */
  end?(): Buffer | null;
  /** See `Relay.fail`. Absent if the answer makes no difference to an error. */
  fail?(error: GatewayError): Buffer;
  /** A whole answer that did not fail. */
  body(answer: WholeAnswer): WholeBody;
}

/** How to write frames that differ only in their text. */
export interface FrameRecipe {
  /** The length of the result for the frame that the template has just matched; -1 if its text must be read first. */
  lengthOf(template: TextTemplate, bytes: Buffer): number;
  /** Writes the result to `into` at `at`, where there is space for that length. */
  put(template: TextTemplate, bytes: Buffer, into: Buffer, at: number): void;
}
