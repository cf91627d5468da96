/** How providers separate messages in a stream. To add a framing: its splitter, and a line in the table. */
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
} as const satisfies Readonly<Record<string, Framing>>;

export type FramingName = keyof typeof framings;
