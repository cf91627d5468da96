/**
 * Patches chunks that are like one that was patched before: the same edits, at the same distance from the start, from
 * the end of the text, or from that of the padding. All of a chunk but the edits is taken from the chunk itself, which
 * has just come and is in the processor's cache, where parts that were learned a while ago are not.
 */
import type { Edit } from '../../../wire/json-splice.ts';
import { ChunkTemplate } from './frame-template.ts';

export class TextChunkPatch {
  readonly #template = new ChunkTemplate();
  #edits: readonly AnchoredEdit[] = [];
  /** By how much they lengthen a chunk. */
  #growth = 0;

  /** The patched frame, the frame itself when nothing is edited, or null when it is not like the learned one. */
  patch(raw: Buffer): Buffer | null {
    if (!this.#template.match(raw)) return null;
    if (this.#edits.length === 0) return raw;
    const patched = Buffer.allocUnsafe(raw.length + this.#growth);
    this.#put(raw, patched, 0);
    return patched;
  }

  /** The same, put into `into` at `at`: how many bytes it is, or -1 when it is not like the learned one, or has no room. */
  patchInto(raw: Buffer, into: Buffer, at: number): number {
    const length = raw.length + this.#growth;
    if (at + length > into.length || !this.#template.match(raw)) return -1;
    this.#put(raw, into, at);
    return length;
  }

  /** Of the last frame that was patched: its text in UTF-8, once its escapes are undone. */
  get textBytes(): number {
    return this.#template.textBytes;
  }

  /** Takes a frame whose data is `raw[start, end)` as the model for others, with the edits that were made to it. */
  learn(raw: Buffer, start: number, end: number, edits: readonly Edit[]): void {
    const template = this.#template;
    if (!template.learn(raw, start, end)) return;
    this.#edits = edits.flatMap((edit) => this.#anchored(edit));
    this.#growth = edits.reduce((growth, { start: from, end: to, insert }) => growth + insert.length - (to - from), 0);
    // An edit of the text, or of the padding, is none that the next chunk could have.
    if (this.#edits.length < edits.length) template.forget();
  }

  /** Of the frame that was just learned. Edits are of whole values at the top: each lies apart from text and padding, or touches one. */
  #anchored({ start, end, insert }: Edit): AnchoredEdit[] {
    const { textStart, textEnd, paddingStart, paddingEnd } = this.#template;
    if (end <= textStart) return [{ anchor: 'start', start, end, insert }];
    if (start >= textEnd && (paddingStart === -1 || end <= paddingStart))
      return [{ anchor: 'text', start: start - textEnd, end: end - textEnd, insert }];
    if (paddingStart !== -1 && start >= paddingEnd)
      return [{ anchor: 'padding', start: start - paddingEnd, end: end - paddingEnd, insert }];
    return [];
  }

  /** `raw` is what the template has matched. */
  #put(raw: Buffer, into: Buffer, at: number): void {
    const { textEnd, paddingEnd } = this.#template;
    let from = 0;
    let to = at;
    for (const { anchor, start, end, insert } of this.#edits) {
      const base = anchor === 'start' ? 0 : anchor === 'text' ? textEnd : paddingEnd;
      to = copy(raw, from, base + start, into, to);
      to = copy(insert, 0, insert.length, into, to);
      from = base + end;
    }
    copy(raw, from, raw.length, into, to);
  }
}

/** An edit by its distance from the start of a chunk, from the end of its text, or from that of its padding. */
interface AnchoredEdit extends Edit {
  readonly anchor: 'start' | 'text' | 'padding';
}

/** Up to here a loop is cheaper than a call into the runtime. */
const LOOP_BYTES_MAX = 64;

/** Returns where the copy ends. */
function copy(source: Buffer, from: number, to: number, into: Buffer, at: number): number {
  if (to - from > LOOP_BYTES_MAX) return at + source.copy(into, at, from, to);
  let end = at;
  for (let index = from; index < to; index += 1) {
    into[end] = source[index] as number;
    end += 1;
  }
  return end;
}
