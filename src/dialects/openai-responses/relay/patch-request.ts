/**
 * Edits a relayed request: the caller's bytes with the model's name at the provider, the gateway's output cap if the caller set none, and
 * without the thoughts of other vendors, a search that no balance could pay for, and what says where the call may be served. No other byte changes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Edit, insertField, removeFields, replaceValue, spliceParts } from '../../../wire/json-splice.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PatchedRequest, RequestEdits } from '../../interface/request-edits.ts';
import { FOREIGN_THOUGHTS } from '../../kit/answer/left-out-thoughts.ts';
import { nameEdit, routingFields } from '../../kit/relay/routing-fields.ts';
import type { Quirks } from '../quirks.ts';
import { foreignThoughts } from './foreign-thoughts.ts';

/** The body and the headers for the provider; no credential, and only those of the caller's headers that are listed below. */
export function patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits<Quirks>): PatchedRequest {
  const { document } = inbound;
  const splices: Edit[] = [];
  const named = nameEdit(document, peek.model, edits.model);
  if (named !== null) splices.push(named);
  if (edits.outputCap !== null) {
    const field = document.fields.get('max_output_tokens');
    const cap = String(edits.outputCap);
    splices.push(field === undefined ? insertField(document, 'max_output_tokens', cap) : replaceValue(field, cap));
  }
  const { edits: thoughts, hasRemoved } = foreignThoughts(document, edits.quirks.thoughtOrigin, peek.leftOut);
  for (const edit of thoughts) splices.push(edit);
  const { searchRemovals = NONE } = peek;
  const removals = searchRemovals.length > 0 ? searchRemovals : removeFields(document, routingFields(document));
  for (const removal of removals) splices.push(removal);
  if (splices.length > 1) splices.sort((left, right) => left.start - right.start || left.end - right.end);
  return {
    headers: outboundHeaders(inbound.headers, peek.stream),
    body: spliceParts(document.bytes, splices),
    ...((hasRemoved || searchRemovals.length > 0) && {
      warnings: [
        ...(hasRemoved ? [FOREIGN_THOUGHTS] : NONE),
        ...(searchRemovals.length > 0 ? [SEARCH_LEFT_OUT] : NONE),
      ],
    }),
  };
}

const NONE: readonly never[] = [];
const SEARCH_LEFT_OUT =
  'the tool "web_search" was left out: nothing limits its uses, so a balance cannot pay for it; set max_tool_calls to use it';

/**
 * Only what a client of the format sends on purpose passes; organisations and projects are the operator's. Codex says with the second that
 * instructions and tools are inside `input`.
 */
const PASSED = ['openai-beta', 'x-openai-internal-codex-responses-lite'];

function outboundHeaders(inbound: IncomingHttpHeaders, stream: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
  };
  for (const name of PASSED) {
    const value = inbound[name];
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
