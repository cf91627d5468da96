/**
 * Speech from a text: https://platform.openai.com/docs/api-reference/audio/createSpeech. The answer is sound as bytes, or with `stream_format: sse`
 * events; which of the two a server sends, its type says. Charged by the character of `input`, which is known before, or by tokens.
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PartContext, Relay } from '../../interface/relay.ts';
import type { PatchedRequest, RequestEdits } from '../../interface/request-edits.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { passingEditor } from '../../kit/relay/passing-editor.ts';
import { SpeechMeter } from '../meter/speech-meter.ts';
import { patchPart } from './patch-part.ts';
import { partReader } from './peek-part.ts';

const { present, required } = requestFields;

/** Longer than any server reads at once: OpenAI reads 4,096 characters. */
const INPUT_BYTES_MAX = 1024 * 1024;
/** Of sound in a second, at most: 25 at Google, about 21 at OpenAI. https://ai.google.dev/gemini-api/docs/tokens */
const TOKENS_PER_SECOND = 25;
/** No text is spoken more slowly than a byte a second, at the usual speed; and there may be silence around it. */
const SECONDS_PER_BYTE = 1;
const SILENT_SECONDS = 60;
/** Of English, at the usual speed. */
const TOKENS_PER_CHARACTER = 1.5;
/** OpenAI takes 0.25 to 4, Groq 0.5 to 5. */
const SPEED_MIN = 0.1;
const SPEED_MAX = 100;

const read = partReader({
  read: ['input', 'voice', 'instructions', 'response_format', 'speed', 'stream_format'],
  prompt: ['input', 'instructions'],
});

export const speech: OperationPart = {
  exampleBody: (model) => ({ model, input: 'Hello, Turnpike', voice: 'alloy' }),
  streaming: { framings: ['bytes', 'sse'] },
  peek: peekSpeech,
  patchRequest,
  openRelay,
};

function peekSpeech({ document }: Inbound): Peek {
  const peek = read(document);
  const input = required(document, 'input');
  if (input.type !== 'string') throw invalid('input', '"input" must be a text.');
  const bytes = input.valueEnd - input.valueStart;
  if (bytes > INPUT_BYTES_MAX) throw invalid('input', `"input" must not be longer than ${INPUT_BYTES_MAX} bytes.`);
  const characters = countCharacters(readString(document, input));
  if (characters === 0) throw invalid('input', '"input" must not be empty.');
  const seconds = (bytes * SECONDS_PER_BYTE + SILENT_SECONDS) / Math.min(1, readSpeed(document));
  return {
    ...peek,
    stream: true,
    outputCap: Math.ceil(seconds * TOKENS_PER_SECOND),
    // A voice may be given as sound.
    promptUnbounded: document.watched.some(({ type }) => type !== 'null'),
    units: { name: CHARACTER, most: characters, orTokens: true, field: 'input' },
  };
}

const CHARACTER = 'character';

/** As Unicode counts them. */
function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.charCodeAt(at) & SURROGATE_MASK) !== HIGH_SURROGATE) continue;
    if ((text.charCodeAt(at + 1) & SURROGATE_MASK) === LOW_SURROGATE) count -= 1;
  }
  return count;
}

const SURROGATE_MASK = 0xfc00;
const HIGH_SURROGATE = 0xd800;
const LOW_SURROGATE = 0xdc00;

/** 1 if it is absent. */
function readSpeed(document: JsonDocument): number {
  const field = present(document, 'speed');
  if (field === null) return 1;
  const speed = field.type === 'number' ? numberOf(document, field) : Number.NaN;
  if (speed >= SPEED_MIN && speed <= SPEED_MAX) return speed;
  throw invalid('speed', `"speed" must be a number from ${SPEED_MIN} to ${SPEED_MAX}.`);
}

/** No longer number has a place there. */
const NUMBER_BYTES_MAX = 32;
function numberOf({ bytes }: JsonDocument, { valueStart, valueEnd }: JsonField): number {
  return valueEnd - valueStart > NUMBER_BYTES_MAX ? Number.NaN : Number(bytes.toString('latin1', valueStart, valueEnd));
}

function patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits): PatchedRequest {
  const patched = patchPart(inbound, peek, edits);
  return { ...patched, headers: { ...patched.headers, accept: '*/*' } };
}

function openRelay({ units }: Peek, context: PartContext): Relay {
  const most = units?.most ?? 0;
  return new FrameRelay({
    meter: new SpeechMeter({
      characters: { units: most, unitLine: context.unitLine(CHARACTER) },
      audioTokens: Math.ceil(most * TOKENS_PER_CHARACTER),
    }),
    editor: passingEditor,
    guard: context.guard,
  });
}
