/**
 * Writes down what is said in a recording, charged by its second or by tokens: https://platform.openai.com/docs/api-reference/audio/createTranscription.
 * The response cache does not keep the answer: the recording is gone once it is sent.
 */
import { partOperation } from './part-of.ts';

export const transcriptions = partOperation('transcriptions', {
  priceLines: ['input', 'inputAudio', 'output', 'request'],
  saving: 'send a shorter recording (file)',
  unitKinds: ['second'],
  mayBeKept: false,
});
