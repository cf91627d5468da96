/**
 * Images and sounds that stand in a request's body: how many, and what they cost a prompt at most. What counts as an
 * image is where the block, the type it declares and its bytes agree, and likewise a sound: a provider may go by any of
 * them. Whatever else a model may read has no bound here: a PDF of a kilobyte may unpack to a thousand pages.
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { hasSize } from './image-size.ts';
import { IMAGE_HEAD_BYTES, type ImageType, imageTypeOf } from './image-type.ts';
import { InlineData } from './inline-data.ts';
import { evenSoundTokens } from './inline-sound.ts';

export interface InlineMedia {
  readonly images: number;
  /** The most tokens that the sounds can be, all together. */
  readonly audioTokens: number;
  /** What files take whose length in tokens nobody here knows, in characters of base 64: for estimates. */
  readonly fileCharacters: number;
  /** What all of them take of the body. */
  readonly bytes: number;
  /** False where some of what a model reads there may be of any length. */
  readonly isBounded: boolean;
}

export const NO_MEDIA: InlineMedia = { images: 0, audioTokens: 0, fileCharacters: 0, bytes: 0, isBounded: true };

/** Adds up the media of one request. Fields that are given to it are strings: base 64, or an address. */
export class MediaTally implements InlineMedia {
  images = 0;
  audioTokens = 0;
  fileCharacters = 0;
  bytes = 0;
  isBounded = true;

  /** In a block for images. `declared` is the type that the block gives it beside the data; null where it gives none. */
  addImage(document: JsonDocument, field: JsonField, declared: string | null = null): void {
    const data = new InlineData(document, field);
    const type = imageTypeOf(data.read(0, IMAGE_HEAD_BYTES).toString('latin1'));
    // Also where it cannot be bounded: for an estimate it is an image all the same, by address too.
    this.images += 1;
    if (type !== null) this.bytes += field.valueEnd - field.valueStart;
    else if (data.isAddress) this.#addUnknown(data, field);
    if (type === null || !agrees(type, data, declared) || !hasSize(type, data.read)) this.isBounded = false;
  }

  /** In a block for files. Text is left alone: it is no longer than its bytes in the body. */
  addFile(document: JsonDocument, field: JsonField): void {
    const data = new InlineData(document, field);
    if (isText(data)) return;
    this.isBounded = false;
    this.#addUnknown(data, field);
  }

  /** In a block for sounds. `declared` as the block gives it (`mp3`, `wav`), null where it gives none. */
  addSound(document: JsonDocument, field: JsonField, declared: string | null): void {
    const data = new InlineData(document, field);
    const tokens = evenSoundTokens(data, declared);
    if (tokens === null) {
      this.isBounded = false;
      this.#addUnknown(data, field);
      return;
    }
    this.audioTokens += tokens;
    this.bytes += field.valueEnd - field.valueStart;
  }

  /** Something that a model may read, and of which nothing can be said. */
  addOther(): void {
    this.isBounded = false;
  }

  /** An address leads to something of unknown length, and is itself but a few tokens. */
  #addUnknown(data: InlineData, field: JsonField): void {
    if (!data.isBase64 || LINK.test(data.textAt(LINK_CHARACTERS))) return;
    this.fileCharacters += data.base64Length;
    this.bytes += field.valueEnd - field.valueStart;
  }
}

const LINK = /^[a-z][a-z0-9+.-]*:/i;
const LINK_CHARACTERS = 16;

/** Every type that is given is the one of the bytes; an address gives one. */
function agrees(type: ImageType, data: InlineData, declared: string | null): boolean {
  const wanted = type === 'image/jpeg' ? JPEG_NAMES : [type];
  if (data.isAddress && !wanted.includes(data.mediaType)) return false;
  return declared === null || wanted.includes(declared.toLowerCase());
}

const JPEG_NAMES: readonly string[] = ['image/jpeg', 'image/jpg'];

/** Readers look for the head of a PDF in so many bytes. */
const TEXT_HEAD_BYTES = 1024 + 8;

/** What is called text and begins like it: a PDF called text is read as a PDF by some. */
function isText(data: InlineData): boolean {
  if (!data.mediaType.startsWith('text/')) return false;
  if (!data.isBase64) return !/%(25)?PDF/i.test(data.textAt(TEXT_HEAD_BYTES));
  const head = data.read(0, TEXT_HEAD_BYTES);
  const text = head.toString('latin1');
  return !/^(PK|RIFF)/.test(text) && !text.includes('%PDF') && !head.some(isControl);
}

/** A byte that no text has: below the space, and none that begins a line or a column. */
function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20);
}
