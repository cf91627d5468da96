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
import { NO_MEDIA } from '../../kit/media/inline-media.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';
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
  return {
    model,
    stream: false,
    outputCap: null,
    choices: 1,
    hasTools: present(prompt, 'tools') !== null,
    namedTools: 0,
    wantsUsage: true,
    hasFormat: false,
    promptUnbounded: false,
    serverToolUses: 0,
    searchField: null,
    compacts: false,
    // Nobody is charged for a count.
    media: NO_MEDIA,
    promptBytes: promptBytesOf(prompt, PROMPT_FIELDS, NO_MEDIA),
    bodyBytes: document.bytes.length,
    values: document.values,
    growth: 0,
    predictedTokens: 0,
    needsTarget: false,
  };
}

const WHOLE = 'generateContentRequest';

function promptIn(document: JsonDocument): JsonDocument {
  const field = present(document, WHOLE);
  if (field === null) return document;
  if (field.type !== 'object') throw invalid(WHOLE, `"${WHOLE}" must be an object.`);
  refuseManyValues(document, WHOLE);
  return scanInside(document, field);
}
