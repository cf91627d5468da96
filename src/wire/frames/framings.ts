/** How providers separate messages in a stream. To add a framing: its splitter, and a line in the table. */
import { EventStreamChunks } from './event-stream-chunks.ts';
import { EventStreamSplitter } from './event-stream-splitter.ts';
import type { Frame } from './frame.ts';
import type { FrameSplitter } from './frame-splitter.ts';
import { frameOfRest } from './sse-rest.ts';
import { SseSplitter } from './sse-splitter.ts';

export interface Framing {
  /** What the answer's `content-type` begins with. */
  readonly contentType: string;
  openSplitter(): FrameSplitter;
  /** The frame in the bytes after the last complete one, if only its end is missing; null if it was cut. */
  frameOfRest(rest: Buffer): Frame | null;
}

export const framings = {
  /** https://html.spec.whatwg.org/multipage/server-sent-events.html */
  sse: { contentType: 'text/event-stream', openSplitter: () => new SseSplitter(), frameOfRest },
  /** https://smithy.io/2.0/aws/amazon-eventstream.html */
  'aws-event-stream': {
    contentType: 'application/vnd.amazon.eventstream',
    openSplitter: () => new EventStreamSplitter(),
    frameOfRest: () => null,
  },
  /** Another format's events inside the same: see `event-stream-chunks.ts`. */
  'aws-event-stream-chunks': {
    contentType: 'application/vnd.amazon.eventstream',
    openSplitter: () => new EventStreamChunks(),
    frameOfRest: () => null,
  },
} as const satisfies Readonly<Record<string, Framing>>;

export type FramingName = keyof typeof framings;
