/** Orders documents in Cohere's and Jina's form: https://docs.cohere.com/v2/reference/rerank */
import { isObject, isWholeNumber, type JsonObject } from '../../core/json-object.ts';
import { newIdentifier } from '../identifiers.ts';
import { READ_TOKENS_MAX } from '../limits.ts';
import { badRequest, modelNotFound } from '../refusal.ts';
import { vectorOf } from '../vector-of.ts';
import { countTokens } from '../words.ts';

/** The demo's model that ranks. */
export const RANKING_MODEL = 'rerank';

/** The answer as JSON: the more words a document has in common with the query, the better. Throws a `Refusal`. */
export function answerRerank(body: JsonObject): string {
  const { model, query, documents, top_n: top = null, return_documents: returns } = body;
  if (model !== RANKING_MODEL) throw modelNotFound(String(model));
  if (typeof query !== 'string' || query === '') throw badRequest('query must be a text.', { param: 'query' });
  if (top !== null && (!isWholeNumber(top) || top < 1))
    throw badRequest('top_n must be 1 or more.', { param: 'top_n' });
  const texts = textsOf(documents);
  const asked = countTokens(query);
  const counts = texts.map((text) => asked + countTokens(text));
  if (counts.some((tokens) => tokens > READ_TOKENS_MAX))
    throw badRequest(`The query and a document may have at most ${READ_TOKENS_MAX} tokens together.`);
  const wanted = vectorOf(query, DIMENSIONS);
  const results = texts
    .map((text, index) => {
      const relevance_score = likeness(wanted, vectorOf(text, DIMENSIONS));
      return returns === true ? { index, relevance_score, document: { text } } : { index, relevance_score };
    })
    .toSorted((left, right) => right.relevance_score - left.relevance_score || left.index - right.index)
    .slice(0, top ?? texts.length);
  const total_tokens = counts.reduce((sum, tokens) => sum + tokens, 0);
  return JSON.stringify({ id: newIdentifier('rank-', ID_LENGTH), model, results, usage: { total_tokens } });
}

const ID_LENGTH = 24;
const DOCUMENTS_MAX = 1_000;
/** With so many, few words share one. */
const DIMENSIONS = 1_024;

function textsOf(documents: unknown): readonly string[] {
  if (!Array.isArray(documents) || documents.length === 0 || documents.length > DOCUMENTS_MAX)
    throw badRequest(`documents must have from 1 to ${DOCUMENTS_MAX} items.`, { param: 'documents' });
  return documents.map((each) => {
    if (typeof each === 'string') return each;
    if (isObject(each) && typeof each['text'] === 'string') return each['text'];
    throw badRequest('A document must be a text, or an object with one.', { param: 'documents' });
  });
}

/** From 0 to 1. */
function likeness(left: readonly number[], right: readonly number[]): number {
  const product = left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
  return Math.min(1, Math.max(0, product));
}
