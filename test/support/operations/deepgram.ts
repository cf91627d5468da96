/**
 * Deepgram's transcripts as its documentation has them: https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded. It takes nothing
 * else. The model's name says what becomes of the answer: a name in `ODD` has that in place of the answer; `refusing` refuses the file, `echoing` repeats the key.
 */
import { Refusal, type StrictServer, sendJson, startStrictServer } from '../strict-server.ts';

/** What the query may have here, of all that is documented. */
const PARAMETERS = ['model', 'smart_format', 'utterances', 'language', 'detect_language'];
export const DURATION = 33.4;
export const TRANSCRIPT = 'Where the road begins. Who pays?';

const WORDS = [
  { word: 'where', start: 0.1, end: 0.42, confidence: 0.99, punctuated_word: 'Where' },
  { word: 'the', start: 0.42, end: 0.6, confidence: 0.99 },
];
export const UTTERANCES = [
  {
    start: 0.1,
    end: 2.0004,
    confidence: 0.9,
    channel: 0,
    transcript: 'Where the road begins.',
    words: WORDS,
    id: 'u1',
  },
  { start: 3601.5, end: 3605, confidence: 0.9, channel: 0, transcript: 'Who\n-->\npays?', words: [], id: 'u2' },
];

const metadata = (duration: unknown) => ({
  ...{ transaction_key: 'deprecated', request_id: 'a-request', sha256: 'aa', created: '2026-11-28T00:00:00Z' },
  ...{ duration, channels: 1, models: ['m1'], model_info: {} },
});
const channel = (transcript: unknown, more: object = {}) => ({
  alternatives: [{ transcript, confidence: 0.9, words: WORDS }],
  ...more,
});
const answer = (duration: unknown, transcript: unknown = TRANSCRIPT, utterances: unknown = UTTERANCES) => ({
  metadata: metadata(duration),
  results: { channels: [channel(transcript, { detected_language: 'en' })], utterances },
});

/** Answers by the name of the model, as text. */
export const ODD: Readonly<Record<string, string>> = {
  silent: JSON.stringify(answer(12, '', [])),
  negative: JSON.stringify(answer(-1)),
  infinite: JSON.stringify(answer('N')).replace('"N"', '1e999'),
  wordy: JSON.stringify(answer('a while')),
  week: JSON.stringify(answer(9e9)),
  timeless: JSON.stringify({ results: answer(1).results }),
  spoken: JSON.stringify(answer(12, 'x', [{ transcript: 'x', start: 'now', end: -3 }])),
  accepted: JSON.stringify({ request_id: 'a-request' }),
  wordless: JSON.stringify(answer(12, 7)),
  page: '<html>',
};

export function startStrictDeepgram(credential: string): Promise<StrictServer> {
  return startStrictServer({
    answer({ path, headers, bytes }, response) {
      if (headers.authorization !== `Token ${credential}`)
        throw new Refusal(401, 'Invalid credentials.', { code: 'INVALID_AUTH' });
      const url = new URL(path, 'http://127.0.0.1');
      if (url.pathname !== '/v1/listen') throw new Refusal(404, 'Not Found');
      const asked = url.searchParams;
      for (const name of asked.keys())
        if (!PARAMETERS.includes(name)) throw new Refusal(400, `Unknown parameter ${name}`, { code: 'Bad Request' });
      if (asked.has('language') === asked.has('detect_language'))
        throw new Refusal(400, 'language and detect_language', { code: 'Bad Request' });
      const model = asked.get('model') ?? '';
      if (model === 'refusing' || bytes.length === 0)
        throw new Refusal(400, 'Bad Request: failed to process audio: corrupt or unsupported data', {
          code: 'Bad Request',
        });
      if (model === 'poor')
        throw new Refusal(402, `Project of ${credential} does not have enough credits.`, {
          code: 'ASR_PAYMENT_REQUIRED',
        });
      if (model === 'echoing') return sendJson(response, answer(DURATION, `The key is ${credential}`));
      const odd = ODD[model];
      if (odd === undefined) return sendJson(response, answer(DURATION));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(odd);
      return;
    },
    refusalBody: ({ message, code }) => ({
      err_code: code ?? 'Bad Request',
      err_msg: message,
      request_id: 'a-request',
    }),
  });
}
