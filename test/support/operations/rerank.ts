/** https://docs.cohere.com/v2/reference/rerank, https://jina.ai/reranker; the model's name says how its vendor reports tokens. */
import { type JsonObject, Refusal } from '../strict-server.ts';
import type { StrictOperation } from './strict-operation.ts';

export const rerank: StrictOperation = {
  fields: ['model', 'query', 'documents', 'top_n', 'return_documents', 'max_tokens_per_doc', 'instruction'],
  answer(body) {
    const { model, query, documents, top_n: top, return_documents: returns } = body;
    if (typeof query !== 'string' || query === '') throw new Refusal(422, 'query is required', { param: 'query' });
    if (!Array.isArray(documents)) throw new Refusal(422, 'documents is required', { param: 'documents' });
    const results = documents.map((document, index) => ({
      index,
      relevance_score: 1 / (index + 2),
      ...(returns === true && { document: typeof document === 'string' ? { text: document } : document }),
    }));
    const shown = results.toReversed().slice(0, typeof top === 'number' ? top : undefined);
    return { id: 'rank-strict', model, results: shown, ...reportOf(body, documents.length) };
  },
};

/** Of the query, and of each document. */
export const TOKENS_OF_QUERY = 3;
export const TOKENS_OF_DOCUMENT = 11;

export function tokensOf(documents: number): number {
  return documents * (TOKENS_OF_QUERY + TOKENS_OF_DOCUMENT);
}

/** With a token for four bytes: a document that is longer than 500 of them together with the query counts for each piece. */
export function searchesOf(query: string, documents: readonly unknown[]): number {
  const perPiece = 500 - Math.min(250, Math.ceil(query.length / 4));
  const pieces = documents.map((each) => Math.max(1, Math.ceil(JSON.stringify(each).length / 4 / perPiece)));
  return Math.ceil(pieces.reduce((sum, count) => sum + count, 0) / 100);
}

function reportOf({ model, query, documents: list }: JsonObject, documents: number): JsonObject {
  const total = tokensOf(documents);
  const search_units = searchesOf(String(query), list as readonly unknown[]);
  switch (model) {
    case 'openrouter':
      return { usage: { search_units, total_tokens: total } };
    case 'no-search':
      return { meta: { billed_units: { search_units: -1 }, tokens: { input_tokens: total } } };
    case 'jina':
      return { usage: { total_tokens: total } };
    case 'zero-prompt':
      return { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: total } };
    case 'cohere':
      return { meta: { billed_units: { search_units }, tokens: { input_tokens: total, output_tokens: 0 } } };
    case 'zeros':
      return { usage: { prompt_tokens: 0, total_tokens: 0 } };
    case 'nonsense':
      return { usage: { total_tokens: -5 } };
    default:
      return {};
  }
}
