/**
 * Edits a relayed request for an operation besides `chat`: the model's name at the provider replaces the caller's, and what the caller stated
 * about where it is served is removed. No other byte changes, except where an operation has edits of its own.
 */
import { type Edit, removeFields, spliceParts } from '../../../wire/json-splice.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PatchedRequest, RequestEdits } from '../../interface/request-edits.ts';
import { nameEdit, routingFields } from '../../kit/relay/routing-fields.ts';

export function patchPart(inbound: Inbound, peek: Peek, edits: RequestEdits): PatchedRequest {
  return patchPartWith(inbound, peek, edits, []);
}

/** `own`: further edits of the operation, in any order. */
export function patchPartWith(
  { document }: Inbound,
  peek: Peek,
  { model }: RequestEdits,
  own: readonly Edit[],
): PatchedRequest {
  const named = nameEdit(document, peek.model, model);
  const list = [...(named === null ? [] : [named]), ...own, ...removeFields(document, routingFields(document))];
  return {
    headers: { 'content-type': 'application/json', accept: peek.stream ? 'text/event-stream' : 'application/json' },
    body: spliceParts(
      document.bytes,
      list.toSorted((left, right) => left.start - right.start || left.end - right.end),
    ),
  };
}
