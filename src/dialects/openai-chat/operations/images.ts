/**
 * Images of a text: https://platform.openai.com/docs/api-reference/images/create. Models that report a usage are charged by its tokens, others by
 * the image, whose class is its size and quality: `image/1024x1024/high`.
 */
import type { OperationPart } from '../../interface/operation-part.ts';
import { imageReader, imageStreaming, openImageRelay } from './image-part.ts';
import { patchPart } from './patch-part.ts';

const read = imageReader();

export const images: OperationPart = {
  exampleBody: (model) => ({ model, prompt: 'Hello, Turnpike' }),
  streaming: imageStreaming,
  peek({ document }) {
    const peek = read(document);
    return {
      ...peek,
      // Each image may be counted with the whole prompt.
      growth: peek.growth * peek.choices + peek.bodyBytes * (peek.choices - 1),
      promptUnbounded: document.watched.some(({ type }) => type !== 'null'),
    };
  },
  patchRequest: patchPart,
  openRelay: openImageRelay,
};
