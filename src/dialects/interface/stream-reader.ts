import type { ChatEvent } from '../../chat/response.ts';
import type { Frame } from '../../wire/frames/frame.ts';

/** Reads one provider's stream into the neutral form. */
export interface StreamReader {
  /** The events of one frame: often none, sometimes several. */
  frame(frame: Frame): readonly ChatEvent[];
  /**
   * To be called when the stream has ended without its last frame: returns the events still due. Empty if `end` or `error` was already
   * returned.
   */
  end(): readonly ChatEvent[];
}
