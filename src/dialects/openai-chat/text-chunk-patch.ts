/** Patches chunks that are like one that was patched before: its edited parts around their text. */
import { type Edit, splice } from '../../wire/json-splice.ts';
import { ChunkTemplate } from './chunk-template.ts';

export class TextChunkPatch {
  readonly #template = new ChunkTemplate();
  #edited = false;
  /** The parts of the learned frame with the edits made: before the text, behind it, behind the padding. */
  #head: Buffer = NOTHING;
  #middle: Buffer = NOTHING;
  #tail: Buffer = NOTHING;

  /** The patched frame, the frame itself when nothing is edited, or null when it is not like the learned one. */
  patch(raw: Buffer): Buffer | null {
    const template = this.#template;
    if (!template.match(raw)) return null;
    if (!this.#edited) return raw;
    const { textStart, textEnd, paddingStart, paddingEnd } = template;
    const variable = textEnd - textStart + (paddingEnd - paddingStart);
    const patched = Buffer.allocUnsafe(this.#head.length + this.#middle.length + this.#tail.length + variable);
    let at = this.#head.copy(patched, 0);
    at += raw.copy(patched, at, textStart, textEnd);
    at += this.#middle.copy(patched, at);
    if (paddingStart === -1) return patched;
    at += raw.copy(patched, at, paddingStart, paddingEnd);
    this.#tail.copy(patched, at);
    return patched;
  }

  /** Of the last frame that was patched: its text in UTF-8, once its escapes are undone. */
  get textBytes(): number {
    return this.#template.textBytes;
  }

  /** Takes a frame whose data is `raw[start, end)` as the model for others, with the edits that were made to it. */
  learn(raw: Buffer, start: number, end: number, edits: readonly Edit[]): void {
    const template = this.#template;
    if (!template.learn(raw, start, end)) return;
    const { textStart, textEnd, paddingStart, paddingEnd } = template;
    const middleEnd = paddingStart === -1 ? raw.length : paddingStart;
    const tailStart = paddingStart === -1 ? raw.length : paddingEnd;
    this.#edited = edits.length > 0;
    this.#head = part(raw, 0, textStart, edits);
    this.#middle = part(raw, textEnd, middleEnd, edits);
    this.#tail = part(raw, tailStart, raw.length, edits);
    if (edits.some((edit) => overlaps(edit, textStart, textEnd) || overlaps(edit, middleEnd, tailStart))) {
      template.forget();
    }
  }
}

const NOTHING = Buffer.alloc(0);

function part(raw: Buffer, from: number, to: number, edits: readonly Edit[]): Buffer {
  const inside = edits
    .filter((edit) => edit.start >= from && edit.end <= to)
    .map((edit) => ({ start: edit.start - from, end: edit.end - from, insert: edit.insert }));
  const bytes = raw.subarray(from, to);
  // A copy also where nothing is edited: the network data the frame is a view of is not to be kept.
  return inside.length === 0 ? Buffer.from(bytes) : splice(bytes, inside);
}

/** Edits are of whole values at the top, so one that touched a text would lie across or within it. */
function overlaps(edit: Edit, from: number, to: number): boolean {
  return edit.start < to && edit.end > from;
}
