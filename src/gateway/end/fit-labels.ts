/** Fits labels into the space they have in a record: user, title and URL first, then metadata in order. */
import { KEY_NOTE } from '../../capture/without-keys.ts';
import { type CallLabels, LABEL_BYTES_MAX } from '../../core/call-labels.ts';

export interface FoundLabels {
  /** '' if there is none; the same for the next two. */
  readonly user: string;
  readonly app: string;
  readonly referer: string;
  readonly metadata: readonly (readonly [name: string, value: string])[];
  readonly isCut: boolean;
}

/**
 * At most `LABEL_BYTES_MAX` in total. The first text that does not fit is cut at its end, and the rest is left out; a
 * metadata name that does not fit is left out with its value. Null if there are no labels.
 */
export function fitLabels(found: FoundLabels): CallLabels | null {
  const space = new Space();
  const user = space.take(found.user);
  const app = space.take(found.app);
  const referer = space.take(found.referer);
  const metadata: [string, string][] = [];
  for (const [name, value] of found.metadata) {
    if (!space.takeWhole(name)) break;
    metadata.push([name, space.take(value)]);
  }
  const isCut = found.isCut || space.isFull;
  if (user === '' && app === '' && referer === '' && metadata.length === 0 && !isCut) return null;
  return {
    user: user || null,
    app: app || null,
    referer: referer || null,
    metadata: Object.fromEntries(metadata),
    isCut,
  };
}

class Space {
  /** Whether something did not fit. */
  isFull = false;
  #bytes = LABEL_BYTES_MAX;

  takeWhole(text: string): boolean {
    const bytes = Buffer.byteLength(text);
    if (this.isFull || bytes > this.#bytes) {
      this.isFull = true;
      return false;
    }
    this.#bytes -= bytes;
    return true;
  }

  take(text: string): string {
    if (text === '' || this.takeWhole(text)) return text;
    const cut = cutTo(text, this.#bytes);
    this.#bytes = 0;
    return cut;
  }
}

/** As much of `text` as fits into `bytesMax`, without half a character or half a key note. */
function cutTo(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  let end = bytesMax;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  const cut = bytes.toString('utf8', 0, end);
  const note = text.lastIndexOf(KEY_NOTE, cut.length);
  return note !== -1 && note + KEY_NOTE.length > cut.length ? cut.slice(0, note) : cut;
}
