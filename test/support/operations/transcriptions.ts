/**
 * https://platform.openai.com/docs/api-reference/audio/createTranscription. The model's name says what is reported: `whisper` seconds, `tokens` tokens,
 * `short` few of them, `silent` nothing; and what becomes of the answer: `cut` breaks off, `held` never ends, `quiet` has no text, `down` is an error.
 */
import type { ReceivedFile } from '../read-form.ts';
import { type JsonObject, Refusal } from '../strict-server.ts';
import type { Sent, StrictOperation } from './strict-operation.ts';

/** How long every recording is, seconds. */
export const SECONDS = 34;
export const TEXT = 'A turnpike at dawn. Ein Schlagbaum früh am Morgen.';
export const TOKENS = {
  type: 'tokens',
  input_tokens: 350,
  input_token_details: { text_tokens: 10, audio_tokens: 340 },
  output_tokens: 21,
  total_tokens: 371,
};
const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'];
const FILE_BYTES_MAX = 25 * 1024 * 1024;
const FIELDS = ['model', 'file', 'prompt', 'response_format', 'temperature'];

export const transcriptions: StrictOperation = {
  fields: [
    ...FIELDS,
    ...['language', 'stream', 'timestamp_granularities[]', 'include[]', 'chunking_strategy'],
    ...['known_speaker_names[]', 'known_speaker_references[]'],
  ],
  answer,
};

export const translations: StrictOperation = { fields: FIELDS, answer };

function answer(body: JsonObject): JsonObject | Sent {
  const { model, file, response_format: format = 'json', temperature = '0', stream = 'false' } = body;
  requireFile(file);
  if (model === 'down') throw new Refusal(500, 'The server had an error.', { type: 'server_error' });
  if (!FORMATS.includes(String(format))) throw new Refusal(400, 'Invalid value.', { param: 'response_format' });
  if (!(Number(temperature) >= 0 && Number(temperature) <= 1))
    throw new Refusal(400, 'Invalid temperature.', { param: 'temperature' });
  if (stream !== 'true' && stream !== 'false') throw new Refusal(400, 'Invalid value.', { param: 'stream' });
  if (stream === 'true') return events(String(model));
  if (format === 'text') return plain(String(model), model === 'quiet' ? '' : `${TEXT}\n`);
  if (format === 'srt') return plain(String(model), `1\n00:00:00,000 --> 00:00:34,000\n${TEXT}\n\n`);
  if (format === 'vtt') return plain(String(model), `WEBVTT\n\n00:00:00.000 --> 00:00:34.000\n${TEXT}\n\n`);
  const usage = usageOf(String(model));
  if (format === 'json') return { text: TEXT, ...usage };
  return { task: 'transcribe', language: 'english', duration: 33.4, text: TEXT, segments: [], ...usage };
}

function requireFile(file: unknown): asserts file is ReceivedFile {
  if (typeof file !== 'object') throw new Refusal(400, 'Missing file.', { param: 'file' });
  const { filename, bytes } = file as ReceivedFile;
  if (!/\.(?:flac|m4a|mp3|mp4|mpeg|mpga|oga|ogg|wav|webm)$/.test(filename))
    throw new Refusal(400, 'Unrecognized file format.', { param: 'file' });
  if (bytes > FILE_BYTES_MAX) throw new Refusal(413, 'Maximum content size limit exceeded.', { param: 'file' });
}

function usageOf(model: string): JsonObject {
  if (model === 'silent') return {};
  return { usage: model === 'tokens' ? TOKENS : { type: 'duration', seconds: model === 'short' ? 3 : SECONDS } };
}

function plain(model: string, text: string): Sent {
  const pieces = text === '' ? [] : [Buffer.from(text.slice(0, 5)), Buffer.from(text.slice(5))];
  return { contentType: 'text/plain; charset=utf-8', pieces, end: model === 'cut' ? 'break' : 'end' };
}

function events(model: string): Sent {
  const event = (data: object) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
  const deltas = TEXT.split(/(?<= )/).map((delta) => event({ type: 'transcript.text.delta', delta }));
  const done = event({ type: 'transcript.text.done', text: TEXT, ...usageOf(model) });
  const isWhole = model !== 'cut' && model !== 'held';
  return {
    contentType: 'text/event-stream; charset=utf-8',
    pieces: isWhole ? [...deltas, done] : deltas,
    end: model === 'held' ? 'hold' : 'end',
  };
}
