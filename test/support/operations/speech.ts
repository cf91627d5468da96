/**
 * https://platform.openai.com/docs/api-reference/audio/createSpeech. The model's name says what becomes of the answer: `cut` breaks off, `held` never
 * ends, `silent` has no sound, `refusing` is an error in JSON with status 200.
 */
import { Refusal } from '../strict-server.ts';
import type { Sent, StrictOperation } from './strict-operation.ts';

const TYPES: Readonly<Record<string, string>> = {
  ...{
    mp3: 'audio/mpeg',
    opus: 'audio/opus',
    aac: 'audio/aac',
    flac: 'audio/flac',
    wav: 'audio/wav',
    pcm: 'audio/pcm',
  },
};
const INPUT_MAX = 4_096;

/** With every byte there is, and what looks like JSON, an event or a chunk. */
export const SOUND: readonly Buffer[] = [
  Buffer.from('ID3\u0004\0\0'),
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  Buffer.from('data: {"error":{"message":"no"}}\n\n'),
  Buffer.from('0\r\n\r\n'),
  Buffer.alloc(100_000, 0x2c),
];

export const speech: StrictOperation = {
  fields: ['model', 'input', 'voice', 'instructions', 'response_format', 'speed', 'stream_format'],
  answer(body) {
    const { model, input, voice, response_format: format = 'mp3', speed = 1, stream_format: streamed = 'audio' } = body;
    if (typeof input !== 'string' || input === '') throw new Refusal(400, 'Missing input.', { param: 'input' });
    if ([...input].length > INPUT_MAX) throw new Refusal(400, 'String too long.', { param: 'input' });
    if (voice === undefined) throw new Refusal(400, 'Missing voice.', { param: 'voice' });
    const contentType = TYPES[String(format)];
    if (contentType === undefined) throw new Refusal(400, 'Invalid value.', { param: 'response_format' });
    if (typeof speed !== 'number' || speed < 0.25 || speed > 4)
      throw new Refusal(400, 'Invalid speed.', { param: 'speed' });
    if (model === 'refusing') return { error: { message: 'no voice today' } };
    if (streamed === 'sse') return events(model !== 'cut');
    const end: Sent['end'] = model === 'cut' ? 'break' : model === 'held' ? 'hold' : 'end';
    return { contentType, pieces: model === 'silent' ? [] : SOUND, end };
  },
};

/** Of every answer in events. */
export const USAGE = { input_tokens: 14, output_tokens: 101, total_tokens: 115 };

function events(isWhole: boolean): Sent {
  const event = (data: object) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
  const deltas = SOUND.map((piece) => event({ type: 'speech.audio.delta', audio: piece.toString('base64') }));
  const done = isWhole ? [event({ type: 'speech.audio.done', usage: USAGE })] : [];
  return { contentType: 'text/event-stream; charset=utf-8', pieces: [...deltas, ...done], end: 'end' };
}
