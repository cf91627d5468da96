/** What the demo has of OpenAI's interface that is answered whole: by path, what answers the body of a request, as JSON. */
import type { JsonObject } from '../../core/json-object.ts';
import { answerEmbeddings } from './embeddings.ts';
import { answerImages } from './images.ts';
import { answerModerations } from './moderations.ts';
import { answerRerank } from './rerank.ts';

export const operations: Readonly<Record<string, (body: JsonObject) => string>> = {
  '/v1/embeddings': answerEmbeddings,
  '/v1/images/generations': answerImages,
  '/v1/moderations': answerModerations,
  '/v1/rerank': answerRerank,
};
