/** Writes down in English what is said in a recording. https://platform.openai.com/docs/api-reference/audio/createTranslation */
import { partOperation } from './part-of.ts';
import { transcriptions } from './transcriptions.ts';

const { priceLines, unitKinds, mayBeKept } = transcriptions;

export const translations = partOperation('translations', {
  priceLines,
  unitKinds,
  mayBeKept,
  saving: 'send a shorter recording (file)',
});
