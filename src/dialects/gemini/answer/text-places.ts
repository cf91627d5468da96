/** Turns places in the bytes of an answer's text, as Google counts, into places in its UTF-16 units. */
import { isWholeNumber, type JsonObject } from '../../../core/json-object.ts';

export interface TextPlace {
  readonly start: number | null;
  readonly end: number | null;
}

export class TextPlaces {
  readonly #pieces: Piece[] = [];
  #bytes = 0;
  #units = 0;

  /** More of the text. */
  add(text: string): void {
    this.#pieces.push({ text, bytes: this.#bytes, units: this.#units, index: null });
    this.#bytes += Buffer.byteLength(text);
    this.#units += text.length;
  }

  /** The place of a segment (`startIndex`, which is left out if it is 0, and `endIndex`); nulls if it is not in the text. */
  of({ startIndex = 0, endIndex }: JsonObject): TextPlace {
    if (!isWholeNumber(startIndex) || !isWholeNumber(endIndex) || startIndex < 0 || endIndex < startIndex)
      return NO_PLACE;
    return endIndex > this.#bytes ? NO_PLACE : { start: this.#unitsAt(startIndex), end: this.#unitsAt(endIndex) };
  }

  #unitsAt(place: number): number {
    const piece = this.#pieceAt(place);
    if (piece === null) return this.#units;
    piece.index ??= indexed(piece.text);
    return piece.units + unitsBefore(piece.index, place - piece.bytes);
  }

  /** The last one that begins at the place or before it. */
  #pieceAt(place: number): Piece | null {
    let [low, high] = [0, this.#pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#pieces[middle] as Piece).bytes <= place) low = middle + 1;
      else high = middle;
    }
    return this.#pieces[low - 1] ?? null;
  }
}

const NO_PLACE: TextPlace = { start: null, end: null };

interface Piece {
  readonly text: string;
  /** What comes before it. */
  readonly bytes: number;
  readonly units: number;
  /** Made when a place in it is first asked for. */
  index: Index | null;
}

interface Index {
  readonly bytes: Buffer;
  /** UTF-16 units before every `STEP`-th byte. */
  readonly marks: readonly number[];
}

const STEP = 64;

function indexed(text: string): Index {
  const bytes = Buffer.from(text);
  const marks: number[] = [];
  let units = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at % STEP === 0) marks.push(units);
    units += unitsOf(bytes[at] as number);
  }
  return { bytes, marks };
}

function unitsBefore({ bytes, marks }: Index, place: number): number {
  const mark = Math.max(0, Math.min(Math.floor(place / STEP), marks.length - 1));
  let units = marks[mark] ?? 0;
  for (let at = mark * STEP; at < place && at < bytes.length; at += 1) units += unitsOf(bytes[at] as number);
  return units;
}

/** A character counts at its first byte; one of four bytes has two units. */
function unitsOf(byte: number): number {
  if ((byte & 0xc0) === 0x80) return 0;
  return byte >= 0xf0 ? 2 : 1;
}
