/**
 * Turns texts into vectors. Only providers of the caller's format are asked. There is no output to pay for: the hold is for the prompt, and
 * so is the settlement, by the provider's count or, if it reports none, by the usual estimate of a prompt.
 *
 * https://ai.google.dev/api/embeddings
 */
import { assert } from '../core/assert.ts';
import type { CallerDialect } from '../dialects/dialect.ts';
import type { Embedding } from '../dialects/interface/embedding.ts';
import type { PaidOperation } from './operation.ts';

/** About how long a prompt token is. */
const BYTES_PER_TOKEN = 4;

export const embeddings: PaidOperation = {
  name: 'embeddings',
  permission: 'embeddings',
  isTranslated: false,
  isPaid: true,
  exampleBody: (dialect, model) => embeddingOf(dialect).exampleBody(model),
  peek: (dialect, inbound) => embeddingOf(dialect).peek(inbound),
  tokensAbout: ({ bodyBytes }) => Math.ceil(bodyBytes / BYTES_PER_TOKEN),
  bound: (peek) => peek,
  openRelay: (dialect, peek, context) => embeddingOf(dialect).openRelay(peek, context),
  // Only relays have an answer, and each has its own meter.
  openMeter: (dialect, peek, tokenizer) => dialect.openMeter(peek, tokenizer),
};

function embeddingOf({ name, embedding }: CallerDialect): Embedding {
  assert(embedding !== undefined, `${name} has a path for embeddings, so it can read their requests`);
  return embedding;
}
