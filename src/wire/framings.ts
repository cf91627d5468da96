/** How providers put messages into a stream. To add a framing: its splitter, and a line in the table. */
import type { Frame } from './frame.ts';
import { SseSplitter } from './sse.ts';
import { frameOfRest } from './sse-rest.ts';

/** Cuts one stream into frames. */
export interface FrameSplitter {
  /** The frames that this chunk completes, which must not be written to afterwards. Throws `bad_gateway` when a frame is too large. */
  push(chunk: Buffer): Frame[];
  /** Whether the next byte begins a frame, and not the stream: what comes may then pass by, a whole frame at a time. */
  readonly isBetweenFrames: boolean;
  /** The stream has ended: the bytes of a frame that has not, empty when there are none. */
  end(): Buffer;
}

export interface Framing {
  /** What the answer's `content-type` begins with. */
  readonly contentType: string;
  openSplitter(): FrameSplitter;
  /** The frame that the bytes after the last one would be if nothing but its end is missing; null where it was cut. */
  frameOfRest(rest: Buffer): Frame | null;
}

export const framings = {
  /** https://html.spec.whatwg.org/multipage/server-sent-events.html */
  sse: { contentType: 'text/event-stream', openSplitter: () => new SseSplitter(), frameOfRest },
} as const satisfies Readonly<Record<string, Framing>>;

export type FramingName = keyof typeof framings;
