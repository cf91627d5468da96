/** Gives labels the room they have in a record: user, title and address first, then metadata in its order. */
import { KEY_NOTE } from '../../capture/without-keys.ts';
import { type CallLabels, LABEL_BYTES_MAX } from '../../core/call-labels.ts';

export interface FoundLabels {
  /** '' where there is none; of the next two, too. */
  readonly user: string;
  readonly app: string;
  readonly referer: string;
  readonly metadata: readonly (readonly [name: string, value: string])[];
  readonly isCut: boolean;
}

/**
 * Within `LABEL_BYTES_MAX` in all. The first text that does not fit is cut at its end, and what follows it is left out; a name
 * of metadata that does not fit is left out with its value. Null where there is nothing to tell.
 */
export function fitLabels(found: FoundLabels): CallLabels | null {
  const room = new Room();
  const user = room.take(found.user);
  const app = room.take(found.app);
  const referer = room.take(found.referer);
  const metadata: [string, string][] = [];
  for (const [name, value] of found.metadata) {
    if (!room.takeWhole(name)) break;
    metadata.push([name, room.take(value)]);
  }
  const isCut = found.isCut || room.isFull;
  if (user === '' && app === '' && referer === '' && metadata.length === 0 && !isCut) return null;
  return {
    user: user || null,
    app: app || null,
    referer: referer || null,
    metadata: Object.fromEntries(metadata),
    isCut,
  };
}

class Room {
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

/** As much of `text` as so many bytes hold: no half character, no half note of a key. */
function cutTo(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  let end = bytesMax;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  const cut = bytes.toString('utf8', 0, end);
  const note = text.lastIndexOf(KEY_NOTE, cut.length);
  return note !== -1 && note + KEY_NOTE.length > cut.length ? cut.slice(0, note) : cut;
}
