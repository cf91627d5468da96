/**
 * The recipe of frames that are translated: what stands around their text is the same in all of them, and the text is the same
 * JSON in both formats. So it holds for a text only where a reader and a writer would give its very bytes again: where it is
 * not empty, is UTF-8, and escapes what must be escaped in the one way `JSON.stringify` has.
 */
import { isUtf8 } from 'node:buffer';
import type { FrameRecipe } from '../../interface/frame-editor.ts';
import { copyBytes } from './copy-bytes.ts';
import type { TextTemplate } from './text-template.ts';

export class SurroundedText implements FrameRecipe {
  readonly #parts: readonly Buffer[];
  /** All parts together, and how often the text stands between them. */
  readonly #partBytes: number;
  readonly #times: number;

  private constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
    this.#partBytes = parts.reduce((sum, part) => sum + part.length, 0);
    this.#times = parts.length - 1;
  }

  /** For frames like the one that the template has just matched; null where that did not become these parts with its text between them. */
  static of(template: TextTemplate, bytes: Buffer, parts: readonly Buffer[], written: Buffer): SurroundedText | null {
    const recipe = new SurroundedText(parts);
    if (recipe.lengthOf(template, bytes) !== written.length) return null;
    const made = Buffer.alloc(written.length);
    recipe.put(template, bytes, made, 0);
    return made.equals(written) ? recipe : null;
  }

  lengthOf(template: TextTemplate, bytes: Buffer): number {
    const { textStart, textEnd } = template;
    if (textStart === textEnd || !template.isCanonical) return -1;
    if (!template.isAscii && !isUtf8(bytes.subarray(textStart, textEnd))) return -1;
    return this.#partBytes + this.#times * (textEnd - textStart + QUOTES);
  }

  put({ textStart, textEnd }: TextTemplate, bytes: Buffer, into: Buffer, at: number): void {
    const parts = this.#parts;
    let to = at;
    for (let place = 0; place < parts.length; place += 1) {
      if (place > 0) to = copyBytes(bytes, textStart - 1, textEnd + 1, into, to);
      const part = parts[place] as Buffer;
      to = copyBytes(part, 0, part.length, into, to);
    }
  }
}

/** Those around the text, which stand in the frame as in what becomes of it. */
const QUOTES = 2;
