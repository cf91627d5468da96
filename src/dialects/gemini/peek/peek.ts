/**
 * Reads what the gateway must know about a request before it is admitted, from its path and from the fields that the body scan found.
 * Nothing here parses the conversation, so a body of 32 MiB costs no more than one of 32 bytes.
 *
 * https://ai.google.dev/api/generate-content
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { arrayIsEmpty } from '../../../wire/json-read.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { invalid, missing } from '../../kit/errors/request-errors.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { bothSpellings } from '../field-names.ts';
import { readGenerationConfig } from './generation-config.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { present } from './peeked-fields.ts';
import { readInlineMedia } from './read-inline-media.ts';
import { isStreamPath, readPathModel } from './read-path.ts';
import { toolCosts } from './server-tools.ts';

/** Throws `GatewayError` 400 for a request no provider could serve, and for refused governed fields. */
export function peek(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readPathModel(inbound);
  requireContents(document);
  refuseGovernedFields(document, model);
  const { outputCap, choices, hasFormat } = readGenerationConfig(document);
  const tools = present(document, 'tools');
  const { uses, named } = tools === null ? NO_TOOLS : toolCosts(document, tools);
  const media = readInlineMedia(document);
  return {
    model,
    stream: isStreamPath(inbound),
    outputCap,
    choices,
    hasTools: tools !== null && (tools.type !== 'array' || !arrayIsEmpty(document, tools)),
    namedTools: named,
    // Every chunk has its usage.
    wantsUsage: true,
    hasFormat,
    promptUnbounded: !media.isBounded || uses !== 0,
    serverToolUses: uses,
    searchField: null,
    compacts: false,
    media,
    promptBytes: promptBytesOf(document, PROMPT_FIELDS, media),
    bodyBytes: document.bytes.length,
    values: document.values,
    growth: document.growth ?? normalisedGrowth(document.bytes),
    predictedTokens: 0,
    needsTarget: false,
  };
}

export const PROMPT_FIELDS: readonly string[] = bothSpellings(['contents', 'systemInstruction', 'tools']);
const NO_TOOLS = { uses: 0, named: 0 } as const;

/** Google takes one object for a list of one. Throws 400 if there are none. */
export function requireContents(document: JsonDocument, path = 'contents'): void {
  const field = present(document, 'contents');
  if (field === null) throw missing(path);
  if (field.type === 'object') return;
  if (field.type !== 'array') throw invalid(path, `"${path}" must be an array.`);
  if (arrayIsEmpty(document, field)) throw invalid(path, `"${path}" must contain at least one turn.`);
}
