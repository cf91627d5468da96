/**
 * ElevenLabs' speech: https://elevenlabs.io/docs/api-reference/text-to-speech/stream. The voice is part of the path and the format of the sound of
 * the query; the answer is sound as it is made. It is charged by the character of the text (`character_cost_multiplier` of
 * https://elevenlabs.io/docs/api-reference/models/list), as OpenAI's is here.
 */
import { asObject, asText } from '../../../../core/json-object.ts';
import type { JsonDocument, JsonField } from '../../../../wire/json-document.ts';
import { readValue } from '../../../../wire/json-read.ts';
import type { AskedInFormat, FormatRequest, OperationFormat } from '../../../interface/operation-format.ts';
import { invalid } from '../../../kit/errors/request-errors.ts';
import { requestFields } from '../../../kit/peek/request-fields.ts';
import { modelJson } from '../../../kit/relay/model-json.ts';
import { speech } from '../speech.ts';
import { cannotPass, checkFields, readText } from './asked-fields.ts';
import { vendorErrors } from './vendor-errors.ts';

const VENDOR = 'ElevenLabs';
const FIELDS = {
  known: ['input', 'voice', 'response_format', 'speed', 'stream_format'],
  // What `instructions` ask for would be lost: they are refused.
  leftOut: [],
  vendor: VENDOR,
};

/**
 * OpenAI's name of a format → ElevenLabs', of the same kind: MP3 as its own default has it, Opus of the same bit rate, and samples as OpenAI's
 * `pcm` has them, 24 kHz (https://platform.openai.com/docs/guides/text-to-speech#supported-output-formats). It has no AAC, FLAC and WAV there.
 */
const OUTPUT_FORMATS: ReadonlyMap<string, string> = new Map([
  ['mp3', 'mp3_44100_128'],
  ['opus', 'opus_48000_128'],
  ['pcm', 'pcm_24000'],
]);
const USUAL_FORMAT = 'mp3';
/** Its ids have 20 letters and digits. What could lead to another path is refused. */
const VOICE = /^[\w-]{1,64}$/;

export const elevenlabsSpeech: OperationFormat<'elevenlabs-speech'> = {
  name: 'elevenlabs-speech',
  operation: 'speech',
  streaming: { framings: ['bytes'] },
  writeRequest,
  openRelay: ({ peek }, context) => speech.openRelay(peek, context),
  // https://help.elevenlabs.io/hc/en-us/articles/19572237925521
  readError: vendorErrors(({ detail }) => {
    const said = asObject(detail);
    // A list of what is wrong with each field is read as other servers' lists are.
    if (said === null) return null;
    const code = asText(said['status']) ?? asText(said['code']);
    return { message: asText(said['message']) ?? '', code: code === 'quota_exceeded' ? 'insufficient_quota' : code };
  }),
};

function writeRequest({ inbound: { document } }: AskedInFormat, model: string): FormatRequest {
  const warnings = checkFields(document, FIELDS);
  if ((readText(document, 'stream_format') ?? 'audio') !== 'audio') throw cannotPass('stream_format', VENDOR);
  const format = readText(document, 'response_format') ?? USUAL_FORMAT;
  const outputFormat = OUTPUT_FORMATS.get(format);
  if (outputFormat === undefined)
    throw cannotPass('response_format', VENDOR, `Another "response_format" than ${nameAll(OUTPUT_FORMATS)}`);
  return {
    headers: { 'content-type': 'application/json', accept: '*/*' },
    body: writeBody(document, model),
    warnings,
    place: { below: `/${readVoice(document)}/stream`, query: `output_format=${outputFormat}` },
  };
}

function nameAll(formats: ReadonlyMap<string, string>): string {
  return [...formats.keys()].join(', ').replace(/, (\w+)$/, ' and $1');
}

/** The text and the speed are sent as the caller wrote them. */
function writeBody(document: JsonDocument, model: string): Buffer[] {
  const input = requestFields.required(document, 'input');
  const speed = requestFields.present(document, 'speed');
  return [
    Buffer.from('{"text":'),
    rawValue(document, input),
    Buffer.from(',"model_id":'),
    modelJson(model).bytes,
    ...(speed === null
      ? []
      : [Buffer.from(',"voice_settings":{"speed":'), rawValue(document, speed), Buffer.from('}')]),
    Buffer.from('}'),
  ];
}

function rawValue({ bytes }: JsonDocument, { valueStart, valueEnd }: JsonField): Buffer {
  return bytes.subarray(valueStart, valueEnd);
}

/** A name, or as OpenAI writes a voice of an account, an object with its id. */
function readVoice(document: JsonDocument): string {
  const field = requestFields.required(document, 'voice');
  const value = field.valueEnd - field.valueStart > VOICE_BYTES_MAX ? null : readValue(document, field);
  const voice = typeof value === 'string' ? value : asText(asObject(value)?.['id']);
  if (voice !== null && VOICE.test(voice)) return voice;
  throw invalid('voice', `"voice" must be the id of a voice at ${VENDOR}, such as 21m00Tcm4TlvDq8ikWAM.`);
}

const VOICE_BYTES_MAX = 1024;
