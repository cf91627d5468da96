/** Makes images of texts, charged by their tokens or by the piece. https://platform.openai.com/docs/api-reference/images/create */
import { partOperation } from './part-of.ts';

export const images = partOperation('images', {
  priceLines: ['input', 'output', 'inputImage', 'outputImage', 'request'],
  saving: 'ask for fewer, smaller or simpler images (n, size, quality)',
  unitKinds: ['image'],
  mayBeKept: false,
});
