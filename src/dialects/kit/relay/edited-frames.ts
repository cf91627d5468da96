/**
 * The recipe for frames that are edited: the same edits, at the same distance from the start, from the end of the text, or from the end of
 * the padding. Everything else is copied from the frame itself, which has just arrived and is in the CPU cache, unlike parts learned a
 * while ago.
 */
import type { Edit } from '../../../wire/json-splice.ts';
import type { FrameRecipe } from '../../interface/frame-editor.ts';
import { copyBytes } from './copy-bytes.ts';
import type { TextTemplate } from './text-template.ts';

export class EditedFrames implements FrameRecipe {
  readonly #edits: readonly AnchoredEdit[];
  /** By how many bytes they lengthen a frame. */
  readonly #growth: number;

  private constructor(edits: readonly AnchoredEdit[]) {
    this.#edits = edits;
    this.#growth = edits.reduce((growth, { start, end, insert }) => growth + insert.length - (end - start), 0);
  }

  /**
   * For frames like the one that the template has learned, to which these edits were made, in order of position. Each edit replaces a whole
   * value. Null if one of them is of the text or the padding, since those differ in the next frame.
   */
  static of(template: TextTemplate, edits: readonly Edit[]): EditedFrames | null {
    if (edits.length === 0) return EditedFrames.none;
    // What follows a number has no constant distance from anything.
    if (template.isNumbered) return null;
    const anchored = edits.flatMap((edit) => anchorOf(template, edit));
    return anchored.length < edits.length ? null : new EditedFrames(anchored);
  }

  /** Frames pass unchanged. */
  static readonly none = new EditedFrames([]);

  lengthOf(_template: TextTemplate, bytes: Buffer): number {
    return bytes.length + this.#growth;
  }

  put({ textEnd, paddingEnd }: TextTemplate, bytes: Buffer, into: Buffer, at: number): void {
    let from = 0;
    let to = at;
    for (const { anchor, start, end, insert } of this.#edits) {
      const base = anchor === 'start' ? 0 : anchor === 'text' ? textEnd : paddingEnd;
      to = copyBytes(bytes, from, base + start, into, to);
      to = copyBytes(insert, 0, insert.length, into, to);
      from = base + end;
    }
    copyBytes(bytes, from, bytes.length, into, to);
  }
}

/** An edit by its distance from the start of a frame, from the end of its text, or from the end of its padding. */
interface AnchoredEdit extends Edit {
  readonly anchor: 'start' | 'text' | 'padding';
}

function anchorOf(template: TextTemplate, { start, end, insert }: Edit): AnchoredEdit[] {
  const { textStart, textEnd, paddingStart, paddingEnd } = template;
  if (end <= textStart) return [{ anchor: 'start', start, end, insert }];
  if (start >= textEnd && (paddingStart === -1 || end <= paddingStart))
    return [{ anchor: 'text', start: start - textEnd, end: end - textEnd, insert }];
  if (paddingStart !== -1 && start >= paddingEnd)
    return [{ anchor: 'padding', start: start - paddingEnd, end: end - paddingEnd, insert }];
  return [];
}
