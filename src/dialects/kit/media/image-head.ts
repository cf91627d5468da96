/** Finds out whether a file is an image with a size while it arrives, from a few bytes at a time. */
import type { FileInspector } from '../../interface/form.ts';
import { type BytesAsked, type FileReading, readSized } from './image-size.ts';
import { IMAGE_HEAD_BYTES, type ImageType, imageTypeOf } from './image-type.ts';

export class ImageHead implements FileInspector {
  /** Null until it is known, and for what is no image. */
  image: ImageType | null = null;
  readonly #reading = readImage();
  /** Null once there is nothing more to read. */
  #asked: BytesAsked | null = null;
  /** Where the next bytes of the file belong. */
  #at = 0;
  /** Bytes from `#start` on that have arrived and may be asked for. */
  #window: Buffer = NO_BYTES;
  #start = 0;

  constructor() {
    this.#take(this.#reading.next());
  }

  feed(bytes: Buffer): void {
    let from = 0;
    while (this.#asked !== null && from < bytes.length) from = this.#read(bytes, from);
    this.#at += bytes.length - from;
  }

  end(): void {
    while (this.#asked !== null) this.#answer(this.#window.subarray(0, this.#asked.count));
  }

  /** Returns where to go on. */
  #read(bytes: Buffer, from: number): number {
    const { offset, count } = this.#asked as BytesAsked;
    const start = Math.min(from + Math.max(0, offset - this.#at), bytes.length);
    const end = Math.min(start + count - this.#window.length, bytes.length);
    if (end > start) this.#window = Buffer.concat([this.#window, bytes.subarray(start, end)]);
    this.#at += end - from;
    if (this.#window.length === count) this.#answer(this.#window);
    return end;
  }

  #answer(bytes: Buffer): void {
    this.#take(this.#reading.next(bytes));
  }

  /** Answers further questions itself as far as the bytes are there. */
  #take(first: IteratorResult<BytesAsked, ImageType | null>): void {
    let step = first;
    while (step.done !== true) {
      const { offset, count } = step.value;
      const known = offset - this.#start;
      this.#window = known < this.#window.length ? this.#window.subarray(known) : NO_BYTES;
      this.#start = offset;
      this.#asked = step.value;
      if (this.#window.length < count) return;
      step = this.#reading.next(this.#window.subarray(0, count));
    }
    this.image = step.value;
    this.#asked = null;
    this.#window = NO_BYTES;
  }
}

function* readImage(): FileReading<ImageType | null> {
  const head = yield { offset: 0, count: IMAGE_HEAD_BYTES };
  const type = imageTypeOf(head.toString('latin1'));
  return type !== null && (yield* readSized(type)) ? type : null;
}

const NO_BYTES = Buffer.alloc(0);
