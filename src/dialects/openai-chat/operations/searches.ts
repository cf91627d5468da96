/**
 * Searches, by which Cohere charges for a ranking: one query with up to 100 documents. A document that is longer than 500 tokens together with the
 * query is split, and each of its pieces counts as one: https://cohere.com/pricing. Its answers report them in `meta.billed_units`, those of OpenRouter
 * in `usage`: https://openrouter.ai/docs/api_reference/rerank
 */
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { readCount } from '../../../core/usage.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import type { AskedUnits } from '../../interface/peek.ts';
import type { UnitUse } from '../../kit/meter/whole-meter.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';

/** The unit of a search. */
export const SEARCH = 'search';

/** Of documents, or pieces of documents, in one search. */
const DOCUMENTS_OF_SEARCH = 100;
/** Of a piece and the query. */
const TOKENS_OF_PIECE = 500;

/** The most searches that these documents are, with a token for each byte. `queryTokens` and `growth` are upper limits as well. */
export function searchesAsked(
  document: JsonDocument,
  documents: number,
  queryTokens: number,
  growth: number,
): AskedUnits {
  const field = requestFields.present(document, 'documents');
  const tokens = (field === null ? 0 : field.valueEnd - field.valueStart) + growth;
  const tokensOfPiece = Math.max(1, TOKENS_OF_PIECE - queryTokens);
  const pieces = documents + Math.floor(tokens / tokensOfPiece);
  return {
    name: SEARCH,
    most: Math.ceil(pieces / DOCUMENTS_OF_SEARCH),
    least: leastOf(documents),
    orTokens: true,
    field: 'documents',
  };
}

/** The searches of an answer, at the price in this place; null if it reports none and has no price for them. */
export function searchesOf(answer: JsonObject, unitLine: number, asked: AskedUnits | undefined): UnitUse | null {
  const reported = searchesReported(answer);
  if (typeof reported === 'number') return { units: reported, unitLine };
  return unitLine === 0 ? null : { units: asked?.least ?? 1, unitLine, isEstimate: true };
}

/** Null if it reports none, `nonsense` if that is no count. */
export function searchesReported({ meta, usage }: JsonObject): number | 'nonsense' | null {
  const { search_units: cohere } = asObject(asObject(meta)?.['billed_units']) ?? {};
  const reported = cohere ?? asObject(usage)?.['search_units'] ?? null;
  return reported === null ? null : (readCount(reported) ?? 'nonsense');
}

/** Without long documents. */
function leastOf(documents: number): number {
  return Math.ceil(documents / DOCUMENTS_OF_SEARCH);
}
