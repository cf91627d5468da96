/** Speech as OpenAI's interface has it, in tones: https://platform.openai.com/docs/api-reference/audio/createSpeech */
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../core/json-object.ts';
import { badRequest, modelNotFound } from '../refusal.ts';
import { SPEECH_MODEL, soundsOf, wavHead } from '../sound-of.ts';
import { countTokens } from '../words.ts';

/** As many characters as OpenAI reads. */
const INPUT_MAX = 4_096;
const SPEED_MIN = 0.25;
const SPEED_MAX = 4;

/** Sends the sound word by word, as bytes or as events. Throws a `Refusal` before anything is sent. */
export function sendSpeech(body: JsonObject, response: ServerResponse): void {
  const { model, input, voice, speed = 1, response_format: format = 'wav', stream_format: streamed = 'audio' } = body;
  if (model !== SPEECH_MODEL) throw modelNotFound(String(model));
  if (typeof input !== 'string' || input.trim() === '' || input.length > INPUT_MAX)
    throw badRequest(`input must be a text of at most ${INPUT_MAX} characters.`, { param: 'input' });
  if (typeof voice !== 'string' || voice === '') throw badRequest('voice must be a name.', { param: 'voice' });
  if (typeof speed !== 'number' || speed < SPEED_MIN || speed > SPEED_MAX)
    throw badRequest(`speed must be from ${SPEED_MIN} to ${SPEED_MAX}.`, { param: 'speed' });
  if (format !== 'wav' && format !== 'pcm')
    throw badRequest('response_format must be wav or pcm.', { param: 'response_format' });
  const sounds = soundsOf(input, speed);
  const bytes = sounds.reduce((sum, { length }) => sum + length, 0);
  const pieces = format === 'wav' ? [wavHead(bytes), ...sounds] : sounds;
  if (streamed === 'sse') return sendEvents(response, pieces, countTokens(input));
  response.writeHead(200, { 'content-type': `audio/${format}` });
  for (const piece of pieces) response.write(piece);
  response.end();
}

function sendEvents(response: ServerResponse, pieces: readonly Buffer[], words: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const event = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  for (const piece of pieces) event({ type: 'speech.audio.delta', audio: piece.toString('base64') });
  const usage = { input_tokens: words, output_tokens: words, total_tokens: 2 * words };
  event({ type: 'speech.audio.done', usage });
  response.end();
}
