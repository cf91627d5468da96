/**
 * Speaks a text, charged by its characters or by tokens: https://platform.openai.com/docs/api-reference/audio/createSpeech. The answer is a stream of
 * sound, so the response cache does not keep it.
 */
import { partOperation } from './part-of.ts';

export const speech = partOperation('speech', {
  priceLines: ['input', 'output', 'outputAudio', 'request'],
  saving: 'send a shorter text (input)',
  unitKinds: ['character'],
  mayBeKept: false,
});
