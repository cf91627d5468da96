/** The demo's voice: a tone for each word. https://learn.microsoft.com/en-us/windows/win32/xaudio2/resource-interchange-file-format--riff- */
import { hashOf } from './vector-of.ts';
import { splitTokens } from './words.ts';

/** The demo's model that speaks. */
export const SPEECH_MODEL = 'speak';

/** Samples of 16 bits in a second, one channel. */
const RATE = 8_000;
const BYTES_PER_SAMPLE = 2;
/** Of a word, with the pause after it. */
const WORD_MS = 120;
const PAUSE_MS = 30;
const LOUDNESS = 6_000;
/** Hertz: two octaves from A3. */
const LOWEST = 220;
const SEMITONES = 24;

/** The sound of each word, as raw samples, little end first. */
export function soundsOf(text: string, speed: number): readonly Buffer[] {
  return splitTokens(text).map((word) => tone(LOWEST * 2 ** ((hashOf(word.trim()) % SEMITONES) / 12), speed));
}

function tone(hertz: number, speed: number): Buffer {
  const samples = Math.round((RATE * WORD_MS) / 1000 / speed);
  const sounding = samples - Math.round((RATE * PAUSE_MS) / 1000 / speed);
  const bytes = Buffer.alloc(samples * BYTES_PER_SAMPLE);
  for (let at = 0; at < sounding; at += 1) {
    // It swells and fades, so that there is no click.
    const swell = Math.sin((Math.PI * at) / sounding);
    bytes.writeInt16LE(
      Math.round(LOUDNESS * swell * Math.sin((2 * Math.PI * hertz * at) / RATE)),
      at * BYTES_PER_SAMPLE,
    );
  }
  return bytes;
}

/** The head of a WAV file whose samples take `bytes`. */
export function wavHead(bytes: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(HEAD_BYTES - 8 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * BYTES_PER_SAMPLE, 28);
  head.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  head.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes, 40);
  return head;
}

const HEAD_BYTES = 44;
