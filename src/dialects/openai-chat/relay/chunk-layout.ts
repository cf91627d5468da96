/** Where the fields that a patcher edits are in an answer or in a chunk of one. */
import { FieldCursor } from '../../../wire/field-cursor.ts';

/** One layout serves all chunks of a stream; `read` overwrites it. Positions are -1 if there is no such field. */
export class ChunkLayout {
  modelStart = -1;
  modelEnd = -1;
  usageStart = -1;
  usageEnd = -1;
  /** What to cut to remove `usage` with its comma. */
  usageCutStart = -1;
  usageCutEnd = -1;
  choicesStart = -1;
  choicesEnd = -1;
  /** Whether `provider` is there. */
  hasProvider = false;
  /** Whether `choices` is there and empty (`[]` or `null`). */
  choicesEmpty = false;
  readonly #cursor = new FieldCursor();

  /** Finds the fields of the object at `start`; false if the bytes are not an object; nothing must be edited then. */
  read(bytes: Buffer, start: number, end: number): boolean {
    const cursor = this.#cursor;
    this.modelStart = -1;
    this.usageStart = -1;
    this.choicesStart = -1;
    this.choicesEmpty = false;
    this.hasProvider = false;
    cursor.open(bytes, start, end);
    while (cursor.next()) {
      if (cursor.keyIs(CHOICES)) this.#seeChoices(bytes);
      else if (cursor.keyIs(USAGE)) this.#seeUsage();
      else if (cursor.keyIs(PROVIDER)) this.hasProvider = true;
      else if (cursor.keyIs(MODEL) && bytes[cursor.valueStart] === QUOTE) {
        this.modelStart = cursor.valueStart;
        this.modelEnd = cursor.valueEnd;
      }
    }
    return !cursor.broken;
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

const MODEL = Buffer.from('"model"');
const PROVIDER = Buffer.from('"provider"');
const USAGE = Buffer.from('"usage"');
const CHOICES = Buffer.from('"choices"');
const QUOTE = 0x22;
/** `[]` with some white space. */
const EMPTY_BYTES_MAX = 16;
