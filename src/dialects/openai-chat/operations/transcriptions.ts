/**
 * Transcripts of recordings: https://platform.openai.com/docs/api-reference/audio/createTranscription. The request is a form; the answer is JSON, text,
 * subtitles or events. Charged by the second, or by tokens. How long a recording lasts is known from the answer; before, its bytes bound it.
 */
import { readValue } from '../../../wire/json-read.ts';
import { type DescribedFile, FILE_FIELD, laterBytes } from '../../interface/form.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PartContext, Relay } from '../../interface/relay.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { NO_MEDIA } from '../../kit/media/inline-media.ts';
import { formFields, readText } from '../../kit/peek/form-fields.ts';
import { refused } from '../../kit/peek/governed-field.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { passingEditor } from '../../kit/relay/passing-editor.ts';
import { type Recording, TranscriptMeter } from '../meter/transcript-meter.ts';
import { LEAST_SECONDS_MAX, type Quirks, usualQuirks } from '../quirks.ts';
import { patchForm } from './patch-form.ts';
import { partReader } from './peek-part.ts';

/** The lowest bit rate of MP3 is 8 kbit/s: http://www.mp3-tech.org/programmer/frame_header.html. What lasts longer is charged up to its hold. */
const BYTES_PER_SECOND_MIN = 1_000;
/** How many times longer than ordinary sound that is, which has 128 kbit/s. */
const ORDINARY = 16;
/** Gemini counts 32 tokens for a second, https://ai.google.dev/gemini-api/docs/tokens; OpenAI 10. */
const AUDIO_TOKENS_PER_SECOND = 32;
/** Nobody says more in a second. */
const TEXT_TOKENS_PER_SECOND = 10;
/** A long recording is read in parts, each with a context window of its own. */
const PART_SECONDS = 30;
const SECOND = 'second';
/** What is read of a recording before anything is sent. */
const FIRST_BYTES = 1024 * 1024;

/** Of other vendors: a recording of any length, or one that somebody else has stored at the provider. */
const OTHER_FILES = ['file_id', 'file_url', 'url'];

const read = partReader({
  governed: OTHER_FILES.map((name) => refused(name, 'it names a recording that is not in the request', 'Send "file".')),
  read: [FILE_FIELD, 'language', 'prompt', 'response_format', 'temperature', 'chunking_strategy'],
  prompt: ['prompt'],
});

export const transcriptions: OperationPart = {
  exampleBody: (model) => ({ model, prompt: 'Hello, Turnpike', file: { filename: 'speech.mp3', bytes: 16_000 } }),
  form: { files: new Map([[FILE_FIELD, 1]]), needs: ['model'], firstBytes: FIRST_BYTES, orJson: false },
  streaming: { framings: ['sse', 'text'] },
  peek: peekForm,
  patchRequest: patchForm,
  openRelay,
};

/** The same, in English. */
export const translations: OperationPart = transcriptions;

function peekForm({ document, form }: Inbound): Peek {
  const peek = read(document);
  const file = requestFields.required(document, FILE_FIELD);
  if (file.type !== 'object') throw invalid(FILE_FIELD, '"file" must be a file.');
  const { bytes, bytes_max: bytesMax = 0 } = readValue(document, file) as DescribedFile;
  if (bytes === 0) throw invalid(FILE_FIELD, '"file" must not be empty.');
  const seconds = Math.ceil((bytes ?? bytesMax) / BYTES_PER_SECOND_MIN);
  const isStream = formFields.readFlag(document, 'stream');
  const isText = !isStream && TEXTS.includes(readText(document, 'response_format') ?? '');
  return {
    ...peek,
    bodyBytes: peek.bodyBytes + laterBytes(form),
    stream: isStream || isText,
    ...(isText && { isPlainText: true }),
    outputCap: seconds * TEXT_TOKENS_PER_SECOND,
    media: { ...NO_MEDIA, audioTokens: seconds * AUDIO_TOKENS_PER_SECOND },
    // Speakers may be given as sound.
    promptUnbounded: requestFields.present(document, 'known_speaker_references[]') !== null,
    requests: Math.ceil(seconds / PART_SECONDS),
    units: {
      name: SECOND,
      // Whichever provider serves it.
      most: Math.max(seconds, LEAST_SECONDS_MAX),
      orTokens: true,
      field: FILE_FIELD,
    },
  };
}

/** The formats of answers that are no JSON. */
const TEXTS: readonly string[] = ['text', 'srt', 'vtt'];

function openRelay(peek: Peek, context: PartContext): Relay {
  return new FrameRelay({
    meter: new TranscriptMeter(recordingOf(peek, context)),
    editor: passingEditor,
    guard: context.guard,
  });
}

/** What a meter has to know of it. */
export function recordingOf({ units, isPlainText }: Peek, context: PartContext): Recording {
  const most = units?.most ?? 0;
  const bytes = context.fileBytes ?? (() => most * BYTES_PER_SECOND_MIN);
  const { leastSeconds } = { ...usualQuirks, ...(context.quirks as Partial<Quirks> | undefined) };
  return {
    isPlainText: isPlainText === true,
    leastSeconds,
    unitLine: context.unitLine(SECOND),
    usualSeconds: () => Math.ceil(bytes() / BYTES_PER_SECOND_MIN / ORDINARY),
  };
}
