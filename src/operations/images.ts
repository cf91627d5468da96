/** Makes images of texts, charged by their tokens or by the piece. https://platform.openai.com/docs/api-reference/images/create */
import { partOperation } from './part-of.ts';

export const images = partOperation('images', {
  priceLines: ['input', 'output', 'inputImage', 'outputImage', 'request'],
  unitKinds: ['image'],
  mayBeKept: false,
});
