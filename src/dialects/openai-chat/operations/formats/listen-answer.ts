/** Deepgram's answer: https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded. Its schema is the source of every name here. */
import { asArray, asObject, asText, type JsonObject, objectsOf } from '../../../../core/json-object.ts';

export interface HeardSpeech {
  /** It is empty if nothing was said. */
  readonly text: string;
  /** Seconds, as they are stated. */
  readonly duration: unknown;
  /** If it was to be detected. */
  readonly language: string | null;
  /** Each has `word` or `punctuated_word`, `start` and `end`. */
  readonly words: readonly JsonObject[];
  /** Each has `transcript`, `start` and `end`; null if they were not sent. */
  readonly utterances: readonly JsonObject[] | null;
}

/** Null if it is no transcript. Of one channel, which is all that is asked for. */
export function readListenAnswer(answer: JsonObject | null): HeardSpeech | null {
  const results = asObject(answer?.['results']);
  const channel = asObject(asArray(results?.['channels'])[0]);
  const best = asObject(asArray(channel?.['alternatives'])[0]);
  const text = best?.['transcript'];
  if (results === null || channel === null || best === null || typeof text !== 'string') return null;
  const { utterances } = results;
  return {
    text,
    duration: asObject(answer?.['metadata'])?.['duration'],
    language: languageOf(channel['detected_language']),
    words: objectsOf(best['words']),
    utterances: Array.isArray(utterances) ? objectsOf(utterances) : null,
  };
}

/** Nothing else reaches the caller of what is not its speech. */
function languageOf(detected: unknown): string | null {
  const language = asText(detected);
  return language !== null && LANGUAGE.test(language) ? language : null;
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/;
