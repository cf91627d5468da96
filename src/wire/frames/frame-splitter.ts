import type { Frame } from './frame.ts';

/** Cuts one stream into frames. */
export interface FrameSplitter {
  /** The frames that this chunk completes, which must not be written to afterwards. Throws `bad_gateway` when a frame is too large. */
  push(chunk: Buffer): Frame[];
  /** Whether the next byte begins a frame other than the first: whole frames may then bypass the splitter. */
  readonly isBetweenFrames: boolean;
  /** How much memory an incomplete frame takes; absent if never more than a frame may usually have. */
  readonly heldBytes?: number;
  /** To be called when the stream has ended: returns the bytes of an incomplete frame, empty when there is none. */
  end(): Buffer;
}
