/**
 * Deepgram's transcripts of recordings: https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded. What is asked for is the query, and
 * the file is the body, sent as it arrives; the answer is JSON, of which OpenAI's formats are made here. It is charged by the second that the
 * answer states; one channel is asked for, since each costs as much (https://deepgram.com/pricing).
 */
import { asText, type JsonObject } from '../../../../core/json-object.ts';
import type { JsonDocument } from '../../../../wire/json-document.ts';
import { readValue } from '../../../../wire/json-read.ts';
import { type DescribedFile, FILE_FIELD } from '../../../interface/form.ts';
import type { AskedInFormat, FormatRequest, OperationFormat } from '../../../interface/operation-format.ts';
import { invalid } from '../../../kit/errors/request-errors.ts';
import { requestFields } from '../../../kit/peek/request-fields.ts';
import { FrameRelay } from '../../../kit/relay/frame-relay.ts';
import { recordingOf } from '../transcriptions.ts';
import { cannotPass, checkFields, readText } from './asked-fields.ts';
import { ListenEditor } from './listen-editor.ts';
import { ListenMeter } from './listen-meter.ts';
import { vendorErrors } from './vendor-errors.ts';
import { isTranscriptFormat, type TranscriptFormat, type TranscriptWish } from './write-transcript.ts';

const VENDOR = 'Deepgram';
const FIELDS = {
  // `stream` is read by the operation.
  known: [FILE_FIELD, 'language', 'response_format', 'stream', 'timestamp_granularities[]'],
  // It has neither; both say how exactly the same is done.
  leftOut: ['temperature', 'chunking_strategy'],
  vendor: VENDOR,
};

export const deepgramListen: OperationFormat<'deepgram-listen'> = {
  name: 'deepgram-listen',
  operation: 'transcriptions',
  writeRequest,
  openRelay: (asked, context) =>
    new FrameRelay({
      meter: new ListenMeter({ ...recordingOf(asked.peek, context), isPlainText: false }),
      editor: new ListenEditor(() => readWish(asked.inbound.document)),
      guard: context.guard,
    }),
  wholeType: ({ inbound: { document } }) =>
    readFormat(document).endsWith('json') ? 'application/json' : 'text/plain; charset=utf-8',
  // https://developers.deepgram.com/docs/errors
  readError: vendorErrors((body) => {
    const message = asText(body['err_msg']) ?? joined(body);
    return message === null ? null : { message, code: asText(body['err_code']) ?? asText(body['category']) };
  }),
};

/** The newer form has its details apart. */
function joined({ message, details }: JsonObject): string | null {
  const said = [asText(message), asText(details)].filter((text) => text !== null);
  return said.length === 0 ? null : said.join(' ');
}

function writeRequest({ inbound: { document, form }, peek }: AskedInFormat, model: string): FormatRequest {
  const warnings = checkFields(document, FIELDS);
  if (peek.stream && peek.isPlainText !== true) throw cannotPass('stream', VENDOR, 'A stream');
  readFormat(document);
  if (form === undefined) throw new Error('a recording comes in a form');
  return {
    headers: { 'content-type': typeOfFile(document), accept: 'application/json' },
    body: form.writeFile(),
    warnings,
    place: { below: '', query: writeQuery(document, model) },
  };
}

/**
 * Its text is without punctuation unless it is asked for, and its language is English unless it is stated or to be detected: OpenAI's have both.
 * https://developers.deepgram.com/docs/smart-format, https://developers.deepgram.com/docs/language-detection,
 * https://developers.deepgram.com/docs/utterances
 */
function writeQuery(document: JsonDocument, model: string): string {
  const language = readLanguage(document);
  return [
    `model=${encodeURIComponent(model)}`,
    'smart_format=true',
    'utterances=true',
    language === null ? 'detect_language=true' : `language=${language}`,
  ].join('&');
}

/** As in BCP 47: https://www.rfc-editor.org/rfc/rfc5646#section-2.1 */
const LANGUAGE = /^[A-Za-z0-9-]{2,35}$/;

function readLanguage(document: JsonDocument): string | null {
  const language = readText(document, 'language');
  if (language === null || language === '') return null;
  if (LANGUAGE.test(language)) return language;
  throw invalid('language', '"language" must be the code of a language, such as en.');
}

function readFormat(document: JsonDocument): TranscriptFormat {
  const format = readText(document, 'response_format');
  if (format === null || format === '') return 'json';
  if (isTranscriptFormat(format)) return format;
  throw cannotPass('response_format', VENDOR, 'A "response_format" of this name');
}

function readWish(document: JsonDocument): TranscriptWish {
  const field = requestFields.present(document, 'timestamp_granularities[]');
  const times: unknown = field === null ? [] : readValue(document, field);
  const has = (name: string) => Array.isArray(times) && times.includes(name);
  return {
    format: readFormat(document),
    language: readLanguage(document),
    words: has('word'),
    // As OpenAI does without a choice.
    segments: has('segment') || !has('word'),
  };
}

/**
 * Only sound: a body of JSON would be read as the address of a recording, of any length, that Deepgram is to fetch itself
 * (https://developers.deepgram.com/docs/errors).
 */
function typeOfFile(document: JsonDocument): string {
  const { content_type: type = '' } = readValue(
    document,
    requestFields.required(document, FILE_FIELD),
  ) as DescribedFile;
  return SOUND.test(type) ? type : 'application/octet-stream';
}

const SOUND = /^(?:audio|video)\/[a-z0-9.+-]{1,64}$/i;
