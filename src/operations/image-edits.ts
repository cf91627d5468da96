/** Makes images of others, charged and permitted like images of texts. https://platform.openai.com/docs/api-reference/images/createEdit */
import { images } from './images.ts';
import { partOperation } from './part-of.ts';

const { permission, priceLines, unitKinds, mayBeKept } = images;

export const imageEdits = partOperation('image_edits', {
  permission,
  priceLines,
  unitKinds,
  mayBeKept,
  saving: 'ask for fewer, smaller or simpler images (n, size, quality)',
});
