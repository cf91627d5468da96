/**
 * Edits a relayed request. Every byte stays except for the closed list of edits: the model's name at the provider,
 * `stream_options.include_usage` on streams (without it OpenAI reports no usage there), the output cap (under the provider's name for it,
 * or set by the gateway), and OpenRouter's fields, thoughts included.
 */

import type { JsonDocument } from '../../../wire/json-document.ts';
import { type Edit, removeFields, spliceParts } from '../../../wire/json-splice.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PatchedRequest, RequestEdits } from '../../interface/request-edits.ts';
import { FOREIGN_THOUGHTS } from '../../kit/answer/left-out-thoughts.ts';
import { nameEdit } from '../../kit/relay/routing-fields.ts';
import type { Quirks } from '../quirks.ts';
import { capEdits } from './cap-edits.ts';
import { foreignThoughts } from './foreign-thoughts.ts';
import { openRouterEdits } from './openrouter-edits.ts';
import { usageEdit } from './usage-edit.ts';

/** Throws `GatewayError` 400 as `openRouterEdits` does. */
export function patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits<Quirks>): PatchedRequest {
  const { list, warnings } = requestEdits(inbound.document, peek, edits);
  return {
    headers: relayedHeaders(inbound, peek),
    body: spliceParts(inbound.document.bytes, list),
    warnings,
  };
}

export interface ListedEdits {
  /** In order of position. */
  readonly list: readonly Edit[];
  readonly warnings: readonly string[];
}

export function requestEdits(document: JsonDocument, peek: Peek, edits: RequestEdits<Quirks>): ListedEdits {
  const list: Edit[] = [];
  const named = nameEdit(document, peek.model, edits.model);
  if (named !== null) list.push(named);
  const cap = capEdits(document, peek.outputCap, edits);
  list.push(...cap.edits);
  if (peek.stream && !peek.wantsUsage) list.push(usageEdit(document));
  const removed = cap.removed === null ? [] : [cap.removed];
  let warnings = NO_WARNINGS;
  if (peek.needsTarget && edits.target) {
    const others = openRouterEdits(document, edits.target, edits.outputCap ?? peek.outputCap);
    list.push(...others.edits);
    removed.push(...others.removed);
    warnings = others.warnings;
  }
  list.push(...removeFields(document, removed));
  const thoughts = edits.quirks.reasoningDetails ? [] : foreignThoughts(document);
  if (thoughts.length > 0) warnings = [...warnings, FOREIGN_THOUGHTS];
  for (const edit of thoughts) list.push(edit);
  if (list.length > 1) list.sort((left, right) => left.start - right.start || left.end - right.end);
  return { list, warnings };
}

const NO_WARNINGS: readonly string[] = [];

/** Only what a client of the format sends on purpose passes; organisations and projects are the operator's. */
function relayedHeaders(inbound: Inbound, peek: Peek): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: peek.stream ? 'text/event-stream' : 'application/json',
  };
  const beta = inbound.headers['openai-beta'];
  if (beta !== undefined) headers['openai-beta'] = Array.isArray(beta) ? beta.join(', ') : beta;
  return headers;
}
