/** The demo's vectors, as Google's interface returns them. */
import { vectorOf } from '../vector-of.ts';
import type { EmbeddingAsk, EmbeddingPath } from './read-embedding.ts';

/** The answer as JSON: https://ai.google.dev/api/embeddings#EmbedContentResponse */
export function writeEmbedding({ isBatch }: EmbeddingPath, { texts, dimensions, tokens }: EmbeddingAsk): string {
  const embeddings = texts.map((text, index) => ({ values: vectorOf(text, dimensions[index] ?? 1) }));
  const vectors = isBatch ? { embeddings } : { embedding: embeddings[0] };
  return JSON.stringify({ ...vectors, usageMetadata: { promptTokenCount: tokens } });
}
