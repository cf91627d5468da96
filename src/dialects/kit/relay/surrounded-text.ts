/**
 * The recipe for frames that are translated: what surrounds their text is the same in all of them, and the text is the same JSON in both
 * formats. It is valid only for a text that a reader and a writer would reproduce byte for byte: one that is not empty, is UTF-8, and has
 * the same escapes as `JSON.stringify` writes.
 */
import { isUtf8 } from 'node:buffer';
import type { FrameRecipe } from '../../interface/frame-editor.ts';
import { copyBytes } from './copy-bytes.ts';
import type { TextTemplate } from './text-template.ts';

export class SurroundedText implements FrameRecipe {
  readonly #parts: readonly Buffer[];
  /** Total length of the parts, and how often the text occurs between them. */
  readonly #partBytes: number;
  readonly #times: number;

  private constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
    this.#partBytes = parts.reduce((sum, part) => sum + part.length, 0);
    this.#times = parts.length - 1;
  }

  /** For frames like the one that the template has just matched; null if that did not become these parts with its text between them. */
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
    for (let index = 0; index < parts.length; index += 1) {
      if (index > 0) to = copyBytes(bytes, textStart - 1, textEnd + 1, into, to);
      const part = parts[index] as Buffer;
      to = copyBytes(part, 0, part.length, into, to);
    }
  }
}

/** The quotes around the text, in the frame and in the result. */
const QUOTES = 2;
