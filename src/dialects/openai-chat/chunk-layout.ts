/** Where the fields that a patcher edits lie in an answer or in a chunk of one. */
import { FieldCursor } from './field-cursor.ts';

/** One layout serves all chunks of a stream; `read` overwrites it. Positions are -1 where there is no such field. */
export class ChunkLayout {
  modelStart = -1;
  modelEnd = -1;
  usageStart = -1;
  usageEnd = -1;
  /** What to take out so that `usage` is gone, with the comma that goes with it. */
  usageCutStart = -1;
  usageCutEnd = -1;
  choicesStart = -1;
  choicesEnd = -1;
  /** Whether `choices` is there and holds nothing (`[]` or `null`). */
  choicesEmpty = false;
  readonly #cursor = new FieldCursor();
  /** The bytes up to the end of the model of the last chunk whose model came before `choices` and `usage`. */
  #head: Buffer = NOTHING;
  #headModelStart = -1;

  /** Finds the fields of the object at `start`; false where the bytes are no object, and then nothing is to be edited. */
  read(bytes: Buffer, start: number, end: number): boolean {
    const cursor = this.#cursor;
    this.modelStart = -1;
    this.usageStart = -1;
    this.choicesStart = -1;
    this.choicesEmpty = false;
    if (this.#startsLikeTheLast(bytes, end)) {
      this.modelStart = this.#headModelStart;
      this.modelEnd = this.#head.length;
      cursor.resume(bytes, this.modelEnd, end);
    } else {
      cursor.open(bytes, start, end);
    }
    while (cursor.next()) {
      if (cursor.keyIs(CHOICES)) this.#seeChoices(bytes);
      else if (cursor.keyIs(USAGE)) this.#seeUsage();
      else if (cursor.keyIs(MODEL) && bytes[cursor.valueStart] === QUOTE) this.#seeModel(bytes);
    }
    return !cursor.broken;
  }

  #startsLikeTheLast(bytes: Buffer, end: number): boolean {
    const length = this.#head.length;
    return length > 0 && length < end && bytes.compare(this.#head, 0, length, 0, length) === 0;
  }

  #seeModel(bytes: Buffer): void {
    this.modelStart = this.#cursor.valueStart;
    this.modelEnd = this.#cursor.valueEnd;
    if (this.choicesStart !== -1 || this.usageStart !== -1 || this.modelEnd > HEAD_BYTES_MAX) return;
    // A copy, because the chunk it is part of may be large and is not to be kept.
    this.#head = Buffer.from(bytes.subarray(0, this.modelEnd));
    this.#headModelStart = this.modelStart;
  }

  #seeUsage(): void {
    const { commaBefore, keyStart, nextKey, valueStart, valueEnd } = this.#cursor;
    this.usageStart = valueStart;
    this.usageEnd = valueEnd;
    this.usageCutStart = commaBefore === -1 ? keyStart : commaBefore;
    this.usageCutEnd = commaBefore === -1 && nextKey !== -1 ? nextKey : valueEnd;
  }

  #seeChoices(bytes: Buffer): void {
    this.choicesStart = this.#cursor.valueStart;
    this.choicesEnd = this.#cursor.valueEnd;
    const text =
      this.choicesEnd - this.choicesStart > EMPTY_BYTES_MAX
        ? ''
        : bytes.toString('latin1', this.choicesStart, this.choicesEnd);
    this.choicesEmpty = text === 'null' || /^\[\s*\]$/.test(text);
  }
}

const NOTHING = Buffer.alloc(0);
const MODEL = Buffer.from('"model"');
const USAGE = Buffer.from('"usage"');
const CHOICES = Buffer.from('"choices"');
const QUOTE = 0x22;
const HEAD_BYTES_MAX = 1024;
/** `[]` with some white space. */
const EMPTY_BYTES_MAX = 16;
