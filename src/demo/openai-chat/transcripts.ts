/** Transcripts as OpenAI's interface has them: https://platform.openai.com/docs/api-reference/audio/createTranscription */
import type { ServerResponse } from 'node:http';
import type { DemoForm } from '../read-form.ts';
import { badRequest, modelNotFound } from '../refusal.ts';
import { splitTokens } from '../words.ts';

/** The demo's model that listens. */
export const LISTENING_MODEL = 'listen';

/** Of the demo's own speech: 8,000 samples of 16 bits. */
const BYTES_PER_SECOND = 16_000;
const TEXTS: Readonly<Record<string, (text: string, seconds: number) => string>> = {
  text: (text) => `${text}\n`,
  srt: (text, seconds) => `1\n00:00:00,000 --> ${clock(seconds)},000\n${text}\n\n`,
  vtt: (text, seconds) => `WEBVTT\n\n00:00:00.000 --> ${clock(seconds)}.000\n${text}\n\n`,
};

/** Sends a text that depends on the length of the file alone. Throws a `Refusal` before anything is sent. */
export function sendTranscript({ fields, files }: DemoForm, response: ServerResponse): void {
  const fileBytes = files[0]?.bytes ?? 0;
  const model = fields.get('model');
  if (model !== LISTENING_MODEL) throw modelNotFound(String(model));
  if (fileBytes === 0) throw badRequest('file must be a recording.', { param: 'file' });
  const format = fields.get('response_format') ?? 'json';
  const text = `This recording has ${fileBytes} bytes.`;
  const seconds = Math.ceil(fileBytes / BYTES_PER_SECOND);
  const usage = { type: 'duration', seconds };
  if (fields.get('stream') === 'true') return sendEvents(response, text, usage);
  const written = TEXTS[format];
  if (written !== undefined)
    return void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(written(text, seconds));
  if (format !== 'json' && format !== 'verbose_json')
    throw badRequest('response_format must be json, text, srt, verbose_json or vtt.', { param: 'response_format' });
  const verbose = { task: 'transcribe', language: 'english', duration: seconds, segments: [] };
  const answer = { ...(format === 'verbose_json' && verbose), text, usage };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

function sendEvents(response: ServerResponse, text: string, usage: object): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const event = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  for (const delta of splitTokens(text)) event({ type: 'transcript.text.delta', delta });
  event({ type: 'transcript.text.done', text, usage });
  response.end();
}

function clock(seconds: number): string {
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
