/**
 * ElevenLabs' speech as its documentation has it: https://elevenlabs.io/docs/api-reference/text-to-speech/stream. It takes nothing else. The model's
 * name says what becomes of the answer, as in `speech.ts`; `echoing` has the key in its sound. The voice `missing` is not there.
 */
import { isObject, Refusal, type StrictServer, sendJson, sendStream, startStrictServer } from '../strict-server.ts';
import { SOUND } from './speech.ts';

const PATH = /^\/v1\/text-to-speech\/([A-Za-z0-9_-]+)\/stream\?output_format=([a-z0-9_]+)$/;
const TYPES: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', pcm: 'audio/pcm', opus: 'audio/opus' };
const OUTPUT_FORMATS: ReadonlySet<string> = new Set([
  ...['mp3_22050_32', 'mp3_44100_32', 'mp3_44100_64', 'mp3_44100_96', 'mp3_44100_128', 'mp3_44100_192'],
  ...['pcm_8000', 'pcm_16000', 'pcm_22050', 'pcm_24000', 'pcm_44100', 'pcm_48000', 'ulaw_8000', 'alaw_8000'],
  ...['opus_48000_32', 'opus_48000_64', 'opus_48000_96', 'opus_48000_128', 'opus_48000_192'],
]);
const TEXT_MAX = 5_000;

export function startStrictElevenlabs(credential: string): Promise<StrictServer> {
  return startStrictServer({
    answer({ path, headers, body }, response) {
      if (headers['xi-api-key'] !== credential) throw new Refusal(401, 'Invalid API key', { code: 'invalid_api_key' });
      const [, voice, outputFormat = ''] = PATH.exec(path) ?? [];
      if (voice === undefined) throw new Refusal(404, 'Not Found');
      if (!OUTPUT_FORMATS.has(outputFormat)) throw invalid('output_format');
      const { text, model_id: model, voice_settings: settings, ...others } = body;
      for (const name of Object.keys(others)) throw invalid(name);
      if (typeof text !== 'string' || typeof model !== 'string') throw invalid('text');
      if (settings !== undefined && !(isObject(settings) && Object.keys(settings).join() === 'speed'))
        throw invalid('voice_settings');
      if (voice === 'missing')
        throw new Refusal(404, 'A voice with the voice_id missing was not found.', { code: 'voice_not_found' });
      if (model === 'poor')
        throw new Refusal(401, `This request exceeds the quota of ${credential}.`, { code: 'quota_exceeded' });
      if (text.length > TEXT_MAX)
        throw new Refusal(400, `This request's text has ${text.length} characters.`, {
          code: 'max_character_limit_exceeded',
        });
      if (model === 'refusing') return sendJson(response, { detail: { status: 'odd', message: 'no voice today' } });
      if (model === 'echoing') return sendStream(response, [Buffer.from(`ID3 ${credential}`)], 'end', 'audio/mpeg');
      const end = model === 'cut' ? 'break' : model === 'held' ? 'hold' : 'end';
      const type = TYPES[outputFormat.slice(0, outputFormat.indexOf('_'))];
      return sendStream(response, model === 'silent' ? [] : SOUND, end, type);
    },
    refusalBody: ({ message, code, param }) => {
      if (param !== null) return { detail: [{ loc: ['body', param], msg: message, type: 'value_error' }] };
      return { detail: code === null ? message : { status: code, message } };
    },
  });
}

function invalid(param: string): Refusal {
  return new Refusal(422, `${param} is not permitted`, { param });
}
