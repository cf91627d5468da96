/**
 * Images and sounds that stand in a request's body: how many, and what they cost a prompt at most. They are told by
 * how their bytes begin, never by what the caller calls them. Whatever is not surely an image, or a sound
 * whose length its size tells, has no bound here: a PDF of a kilobyte may unpack to a thousand pages.
 */
import type { JsonDocument, JsonField } from '../wire/json-scan.ts';

export interface InlineMedia {
  readonly images: number;
  /** The most tokens that the sounds can be, all together. */
  readonly audioTokens: number;
  /** What they take of the body. */
  readonly bytes: number;
}

export const NO_MEDIA: InlineMedia = { images: 0, audioTokens: 0, bytes: 0 };

/** Adds up the media of one request. */
export class MediaTally implements InlineMedia {
  images = 0;
  audioTokens = 0;
  bytes = 0;

  /**
   * `field` is a string: base 64, or a `data:` address. Returns false when nothing is known of what a model reads
   * there. Text is left alone: it is no longer than its bytes in the body.
   */
  addFile(document: JsonDocument, field: JsonField): boolean {
    const text = new Inline(document, field);
    if (text.isImage()) {
      this.images += 1;
      this.bytes += field.valueEnd - field.valueStart;
      return true;
    }
    return text.isText();
  }

  /** The same for a sound. */
  addAudio(document: JsonDocument, field: JsonField): boolean {
    const sound = new Inline(document, field);
    if (!sound.isEvenSound()) return false;
    this.audioTokens += AUDIO_OVERHEAD_TOKENS + Math.ceil((sound.base64Length * 3) / 4 / AUDIO_BYTES_PER_TOKEN);
    this.bytes += field.valueEnd - field.valueStart;
    return true;
  }
}

/**
 * The dearest vendor counts 32 tokens a second (https://ai.google.dev/gemini-api/docs/tokens; OpenAI counts 10), and the
 * sounds let through have 1,000 bytes a second or more: the lowest rate of MP3 is 8 kbit/s, and a WAV file's is checked.
 */
const AUDIO_BYTES_PER_TOKEN = 31;
const AUDIO_OVERHEAD_TOKENS = 64;
const WAV_SAMPLE_RATE_MIN = 4000;
const WAV_HEAD_BYTES = 28;
/** PCM whole numbers and floats: the kinds of which every sample has its bytes. */
const WAV_PLAIN_FORMATS: ReadonlySet<number> = new Set([1, 3]);

/** As much of a string as tells what it is; a `data:` address has its comma within. */
const HEAD_CHARACTERS = 256;

class Inline {
  /** Of the data alone; a little too long where slashes are escaped. */
  readonly base64Length: number;
  readonly #document: JsonDocument;
  /** Where the data's base 64 begins in the body; -1 where the string holds none. */
  readonly #start: number;
  readonly #end: number;
  /** In lower case; empty where none is given. */
  readonly #mediaType: string;

  constructor(document: JsonDocument, field: JsonField) {
    this.#document = document;
    this.#end = field.valueEnd - 1;
    const start = field.valueStart + 1;
    const head = document.bytes.toString('latin1', start, Math.min(start + HEAD_CHARACTERS, this.#end));
    const comma = head.indexOf(',');
    const isAddress = /^data:/i.test(head) && comma !== -1;
    // An escaped slash is a slash; with any other escape the type is none that is known.
    const parameters = isAddress
      ? head.slice('data:'.length, comma).replaceAll('\\/', '/').toLowerCase().split(';')
      : [];
    this.#mediaType = parameters[0] ?? '';
    const isBase64 = !isAddress || parameters.includes('base64');
    this.#start = isBase64 ? start + (isAddress ? comma + 1 : 0) : -1;
    this.base64Length = isBase64 ? this.#end - this.#start : 0;
  }

  isImage(): boolean {
    const head = this.#bytesAt(0, 12).toString('latin1');
    return (
      head.startsWith('\x89PNG\r\n\x1a\n') ||
      head.startsWith('\xff\xd8\xff') ||
      /^GIF8[79]a/.test(head) ||
      (head.startsWith('RIFF') && head.startsWith('WEBP', 8))
    );
  }

  /** What is called text and begins like it: a PDF called text is read as a PDF by some. */
  isText(): boolean {
    if (!this.#mediaType.startsWith('text/')) return false;
    if (this.#start === -1) return true;
    const head = this.#bytesAt(0, 24);
    return !/^(%PDF|PK|RIFF)/.test(head.toString('latin1')) && !head.some(isControl);
  }

  /** MP3 or plain WAV: formats that cannot pack a long silence into a few bytes. */
  isEvenSound(): boolean {
    const head = this.#bytesAt(0, WAV_HEAD_BYTES);
    if (head.length < WAV_HEAD_BYTES) return false;
    if (head.toString('latin1', 0, 4) === 'RIFF') {
      return (
        head.toString('latin1', 8, 16) === 'WAVEfmt ' &&
        WAV_PLAIN_FORMATS.has(head.readUInt16LE(20)) &&
        head.readUInt32LE(24) >= WAV_SAMPLE_RATE_MIN
      );
    }
    if (head.toString('latin1', 0, 3) !== 'ID3') return isMp3Frame(head);
    // Behind its tag may stand a sound of any format. The tag's length has 7 bits a byte: https://id3.org/id3v2.4.0-structure
    const length =
      ((head[6] as number) << 21) | ((head[7] as number) << 14) | ((head[8] as number) << 7) | (head[9] as number);
    return isMp3Frame(this.#bytesAt(10 + length, 2));
  }

  /** `count` bytes of the decoded data from `offset`; fewer at its end, none where it is not base 64. */
  #bytesAt(offset: number, count: number): Buffer {
    if (this.#start === -1) return NOTHING;
    const group = Math.floor(offset / 3);
    const from = this.#start + 4 * group;
    // Room for escaped slashes, each of which takes two characters.
    const to = Math.min(from + 2 * (Math.ceil(count / 3) + 1) * 4, this.#end);
    const text = this.#document.bytes.toString('latin1', from, to).replaceAll('\\/', '/');
    const part = /^[A-Za-z0-9+/]*/.exec(text)?.[0] ?? '';
    const skipped = offset - 3 * group;
    return Buffer.from(part, 'base64').subarray(skipped, skipped + count);
  }
}

const NOTHING = Buffer.alloc(0);

/** A byte that no text has: below the space, and none that begins a line or a column. */
function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20);
}

/** The first eleven bits of a frame are set, and its layer is the third: http://www.mp3-tech.org/programmer/frame_header.html */
function isMp3Frame(head: Buffer): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2;
}
