/** A stream without messages, such as sound: each piece is passed on as it arrived. */
import { Frame } from './frame.ts';
import type { FrameSplitter } from './frame-splitter.ts';

export class ByteSplitter implements FrameSplitter {
  /** Every piece must be metered. */
  readonly isBetweenFrames = false;

  /** One frame, whose data are all of its bytes. */
  push(chunk: Buffer): Frame[] {
    return chunk.length === 0 ? [] : [new Frame(chunk, null, chunk, 0)];
  }

  end(): Buffer {
    return NOTHING;
  }
}

/** Whether it is a piece of such a stream: no other framing has data that begin with the frame. */
export function isBytes({ dataStart }: Pick<Frame, 'dataStart'>): boolean {
  return dataStart === 0;
}

const NOTHING = Buffer.alloc(0);
