/** How many tokens a sound in a request can have. */
import type { InlineData } from './inline-data.ts';

/** Null if its bytes do not bound how long it lasts, or are not of the declared type: `mp3` or `wav`, or that of a `data:` URL. */
export function evenSoundTokens(data: InlineData, declared: string | null): number | null {
  const type = evenSoundType(data);
  if (type === null || (data.isAddress && !ADDRESS_TYPES[type].includes(data.mediaType))) return null;
  if (declared === null ? !data.isAddress : declared.toLowerCase() !== type) return null;
  return OVERHEAD_TOKENS + Math.ceil((data.base64Length * 3) / 4 / BYTES_PER_TOKEN);
}

/**
 * The most expensive vendor counts 32 tokens per second (https://ai.google.dev/gemini-api/docs/tokens; OpenAI counts 10), and accepted
 * sounds have at least 1,000 bytes per second: the lowest bit rate of MP3 is 8 kbit/s, and that of a WAV file is checked.
 */
const BYTES_PER_TOKEN = 31;
const OVERHEAD_TOKENS = 64;

type SoundType = 'mp3' | 'wav';
const ADDRESS_TYPES: Readonly<Record<SoundType, readonly string[]>> = {
  mp3: ['audio/mpeg', 'audio/mp3'],
  wav: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
};

const WAV_SAMPLE_RATE_MIN = 4000;
const WAV_HEAD_BYTES = 28;
/** PCM integers and floats: the formats in which every sample takes the same number of bytes. */
const WAV_PLAIN_FORMATS: ReadonlySet<number> = new Set([1, 3]);

/** MP3 or plain WAV: formats that cannot pack a long silence into a few bytes. */
function evenSoundType(data: InlineData): SoundType | null {
  const head = data.read(0, WAV_HEAD_BYTES);
  if (head.length < WAV_HEAD_BYTES) return null;
  if (head.toString('latin1', 0, 4) === 'RIFF') {
    const isPlain =
      head.toString('latin1', 8, 16) === 'WAVEfmt ' &&
      WAV_PLAIN_FORMATS.has(head.readUInt16LE(20)) &&
      head.readUInt32LE(24) >= WAV_SAMPLE_RATE_MIN;
    return isPlain ? 'wav' : null;
  }
  if (head.toString('latin1', 0, 3) !== 'ID3') return isMp3Frame(head) ? 'mp3' : null;
  // A sound of any format may follow the tag. The tag's length has 7 bits per byte: https://id3.org/id3v2.4.0-structure
  const length =
    ((head[6] as number) << 21) | ((head[7] as number) << 14) | ((head[8] as number) << 7) | (head[9] as number);
  return isMp3Frame(data.read(10 + length, 3)) ? 'mp3' : null;
}

/**
 * The first eleven bits of a frame are set, its layer is the third, and its bit rate is one of the table's: with a free or an invalid one,
 * its length says nothing. http://www.mp3-tech.org/programmer/frame_header.html
 */
function isMp3Frame(head: Buffer): boolean {
  const rate = (head[2] ?? 0) >> 4;
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2 && rate > 0 && rate < 15;
}
