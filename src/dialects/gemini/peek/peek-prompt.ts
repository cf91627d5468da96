/**
 * Peeks at a request to count tokens, which has the prompt alone, or a whole request in `generateContentRequest`.
 *
 * https://ai.google.dev/api/tokens#method:-models.counttokens
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { countPeek } from '../../kit/peek/count-peek.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { PROMPT_FIELDS, requireContents } from './peek.ts';
import { present } from './peeked-fields.ts';
import { readPathModel } from './read-path.ts';

/** Throws `GatewayError` 400. */
export function peekPrompt(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readPathModel(inbound);
  refuseGovernedFields(document, model);
  const prompt = promptIn(document);
  if (prompt !== document) refuseGovernedFields(prompt, model);
  requireContents(prompt, prompt === document ? 'contents' : `${WHOLE}.contents`);
  return countPeek({ model, hasTools: present(prompt, 'tools') !== null }, document, prompt, PROMPT_FIELDS);
}

const WHOLE = 'generateContentRequest';

function promptIn(document: JsonDocument): JsonDocument {
  const field = present(document, WHOLE);
  if (field === null) return document;
  if (field.type !== 'object') throw invalid(WHOLE, `"${WHOLE}" must be an object.`);
  return scanInside(document, field);
}
