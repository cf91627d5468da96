/** Schemas of the OpenAPI document for images. */
import { count, file, open, text, yesOrNo } from './openapi-schema-parts.ts';

export const imageSchemas = {
  ImageEditsRequest: open(
    {
      model: text,
      prompt: text,
      images: {
        type: 'array',
        minItems: 1,
        items: open({ image_url: { ...text, description: 'A `data:` URL, or one that the provider reads.' } }),
      },
      mask: open({ image_url: text }),
      ...{ n: count, size: text, quality: text, stream: yesOrNo, partial_images: count },
    },
    ['model', 'prompt', 'images'],
  ),
  ImageEditsForm: open(
    {
      model: text,
      prompt: text,
      image: { ...file, description: 'One image; best after all other fields.' },
      'image[]': { type: 'array', maxItems: 16, items: file, description: 'Several images, instead of `image`.' },
      mask: { ...file, description: 'Which parts of the first image may change.' },
      markup: { ...file, description: 'Marks above the first image.' },
      ...{ n: count, size: text, quality: text, stream: yesOrNo, partial_images: count },
    },
    ['model', 'prompt'],
  ),
  ImagesResponse: open({ created: count, data: { type: 'array', items: open({ b64_json: text, url: text }) } }),
} as const;
