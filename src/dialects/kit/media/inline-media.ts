/**
 * Images and sounds inside a request's body: how many, and the most tokens that they add to a prompt. Something counts as an image, or a
 * sound, only if the block, its declared type and its bytes agree: a provider may go by any of them. Whatever else a model may read has no
 * bound here: a PDF of a kilobyte may unpack to a thousand pages.
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { hasSize } from './image-size.ts';
import { IMAGE_HEAD_BYTES, type ImageType, imageTypeOf } from './image-type.ts';
import { type Base64Alphabet, InlineData } from './inline-data.ts';
import { evenSoundTokens } from './inline-sound.ts';

export interface InlineMedia {
  readonly images: number;
  /** The most tokens that all sounds together can have. */
  readonly audioTokens: number;
  /** Characters of base 64 in files of unknown token count: for estimates. */
  readonly fileCharacters: number;
  /** How many bytes of the body all of them take. */
  readonly bytes: number;
  /** False if something that a model reads there may have any length. */
  readonly isBounded: boolean;
}

export const NO_MEDIA: InlineMedia = { images: 0, audioTokens: 0, fileCharacters: 0, bytes: 0, isBounded: true };

/** Adds up the media of one request. The fields passed to it are strings: base 64 or a URL. */
export class MediaTally implements InlineMedia {
  images = 0;
  audioTokens = 0;
  fileCharacters = 0;
  bytes = 0;
  isBounded = true;
  readonly #alphabet: Base64Alphabet;

  constructor(alphabet: Base64Alphabet = 'standard') {
    this.#alphabet = alphabet;
  }

  /** In a block for images. `declared` is the type that the block declares in addition to the data; null if it declares none. */
  addImage(document: JsonDocument, field: JsonField, declared: string | null = null): void {
    const data = new InlineData(document, field, this.#alphabet);
    const type = imageTypeOf(data.read(0, IMAGE_HEAD_BYTES).toString('latin1'));
    // Even if it cannot be bounded: for an estimate it is still an image, also by URL.
    this.images += 1;
    if (type !== null) this.bytes += field.valueEnd - field.valueStart;
    else if (data.isAddress) this.#addUnknown(data, field);
    if (type === null || !agrees(type, data, declared) || !hasSize(type, data.read)) this.isBounded = false;
  }

  /** In a block for files. Text is skipped: its bytes in the body bound it. */
  addFile(document: JsonDocument, field: JsonField): void {
    const data = new InlineData(document, field, this.#alphabet);
    if (isText(data)) return;
    this.isBounded = false;
    this.#addUnknown(data, field);
  }

  /** In a block for sounds. `declared` as in the block (`mp3`, `wav`), null if it has none. */
  addSound(document: JsonDocument, field: JsonField, declared: string | null): void {
    const data = new InlineData(document, field, this.#alphabet);
    const tokens = evenSoundTokens(data, declared);
    if (tokens === null) {
      this.isBounded = false;
      this.#addUnknown(data, field);
      return;
    }
    this.audioTokens += tokens;
    this.bytes += field.valueEnd - field.valueStart;
  }

  /** Something that a model may read, and about which nothing is known. */
  addOther(): void {
    this.isBounded = false;
  }

  /** A URL leads to something of unknown length, but is itself only a few tokens. */
  #addUnknown(data: InlineData, field: JsonField): void {
    if (!data.isBase64 || LINK.test(data.textAt(LINK_CHARACTERS))) return;
    this.fileCharacters += data.base64Length;
    this.bytes += field.valueEnd - field.valueStart;
  }
}

const LINK = /^[a-z][a-z0-9+.-]*:/i;
const LINK_CHARACTERS = 16;

/** Whether every declared type is that of the bytes; a data URL declares one. */
function agrees(type: ImageType, data: InlineData, declared: string | null): boolean {
  const wanted = type === 'image/jpeg' ? JPEG_NAMES : [type];
  if (data.isAddress && !wanted.includes(data.mediaType)) return false;
  return declared === null || wanted.includes(declared.toLowerCase());
}

const JPEG_NAMES: readonly string[] = ['image/jpeg', 'image/jpg'];

/** PDF readers search for the header in this many bytes. */
const TEXT_HEAD_BYTES = 1024 + 8;

/** Declared as text and begins like it: some providers read a PDF that is declared as text as a PDF. */
function isText(data: InlineData): boolean {
  if (!data.mediaType.startsWith('text/')) return false;
  if (!data.isBase64) return !/%(25)?PDF/i.test(data.textAt(TEXT_HEAD_BYTES));
  const head = data.read(0, TEXT_HEAD_BYTES);
  const text = head.toString('latin1');
  return !/^(PK|RIFF)/.test(text) && !text.includes('%PDF') && !head.some(isControl);
}

/** A control byte that no text has: below the space, but not a line break or a tab. */
function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20);
}
