import type { ChatEvent } from '../../chat/response.ts';
import type { Frame } from '../../wire/frames/frame.ts';

/** Reads one provider's stream into the neutral form. */
export interface StreamReader {
  /** What one frame says: often nothing, sometimes several things. */
  frame(frame: Frame): readonly ChatEvent[];
  /** The stream ended well without its last frame: what is still due. Empty when `end` or `error` was given already. */
  end(): readonly ChatEvent[];
}
