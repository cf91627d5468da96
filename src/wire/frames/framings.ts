/** How providers separate messages in a stream. To add a framing: its splitter, and a line in the table. */
import { ByteSplitter } from './byte-splitter.ts';
import { EventStreamChunks } from './event-stream-chunks.ts';
import { EventStreamSplitter } from './event-stream-splitter.ts';
import type { Frame } from './frame.ts';
import type { FrameSplitter } from './frame-splitter.ts';
import { frameOfRest } from './sse-rest.ts';
import { SseSplitter } from './sse-splitter.ts';

export interface Framing {
  /** What the answer's `content-type` begins with: one of these. */
  readonly contentTypes: readonly string[];
  /** Set if its bytes are the answer itself: nothing can be added to them, no comment that keeps the connection open, and no error. */
  readonly isOpaque?: true;
  /** `frameBytesMax`: of the longest frame, if longer ones are expected than usual. */
  openSplitter(frameBytesMax?: number): FrameSplitter;
  /** The frame in the bytes after the last complete one, if only its end is missing; null if it was cut. */
  frameOfRest(rest: Buffer): Frame | null;
}

export const framings = {
  /** https://html.spec.whatwg.org/multipage/server-sent-events.html */
  sse: {
    contentTypes: ['text/event-stream'],
    openSplitter: (frameBytesMax?: number) => new SseSplitter({ frameBytesMax }),
    frameOfRest,
  },
  /** https://smithy.io/2.0/aws/amazon-eventstream.html */
  'aws-event-stream': {
    contentTypes: ['application/vnd.amazon.eventstream'],
    openSplitter: () => new EventStreamSplitter(),
    frameOfRest: () => null,
  },
  /** Another format's events inside the same: see `event-stream-chunks.ts`. */
  'aws-event-stream-chunks': {
    contentTypes: ['application/vnd.amazon.eventstream'],
    openSplitter: () => new EventStreamChunks(),
    frameOfRest: () => null,
  },
  /** Sound: types as in https://www.iana.org/assignments/media-types, and what servers without one say. */
  bytes: {
    contentTypes: ['audio/', 'application/octet-stream', 'binary/octet-stream', 'video/'],
    isOpaque: true,
    openSplitter: () => new ByteSplitter(),
    frameOfRest: () => null,
  },
  /** Text that is the answer itself, such as a transcript or subtitles. */
  text: {
    contentTypes: ['text/plain', 'text/vtt', 'text/srt', 'application/x-subrip'],
    isOpaque: true,
    openSplitter: () => new ByteSplitter(),
    frameOfRest: () => null,
  },
} as const satisfies Readonly<Record<string, Framing>>;

export type FramingName = keyof typeof framings;
