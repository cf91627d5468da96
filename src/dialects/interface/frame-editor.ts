import type { WholeBody } from '../../core/body.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { TextTemplate } from '../kit/relay/text-template.ts';
import type { WholeAnswer } from '../kit/relay/whole-answer.ts';

/** Makes of one answer's frames, or of its whole body, what the caller gets: the half of a relay that does not meter. */
export interface FrameEditor {
  /** The bytes to pass on (the frame's own when nothing changed), or null for none. */
  frame(frame: Frame): Buffer | null;
  /**
   * How every frame is written that differs in its text only from the one that `frame` was just given, which `template` has
   * learned and which became `edited`. Null where that is not the same for all.
   */
  recipe(template: TextTemplate, frame: Frame, edited: Buffer): FrameRecipe | null;
  /** See `Relay.end`. Absent where what comes after the last frame is the caller's. */
  end?(): Buffer | null;
  /** A whole answer that did not fail. */
  body(answer: WholeAnswer): WholeBody;
}

/** How frames are written that are alike in all but their text. */
export interface FrameRecipe {
  /** How long the frame becomes that the template has just matched; -1 where its text must be looked at first. */
  lengthOf(template: TextTemplate, bytes: Buffer): number;
  /** Puts it into `into` at `at`, where there is room for that length. */
  put(template: TextTemplate, bytes: Buffer, into: Buffer, at: number): void;
}
