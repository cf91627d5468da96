import type { Frame } from './frame.ts';

/** Cuts one stream into frames. */
export interface FrameSplitter {
  /** The frames that this chunk completes, which must not be written to afterwards. Throws `bad_gateway` when a frame is too large. */
  push(chunk: Buffer): Frame[];
  /** Whether the next byte begins a frame, and not the stream: what comes may then pass by, a whole frame at a time. */
  readonly isBetweenFrames: boolean;
  /** The stream has ended: the bytes of a frame that has not, empty when there are none. */
  end(): Buffer;
}
