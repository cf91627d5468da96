/**
 * Edits a relayed request for an operation besides `chat`: the model's name at the provider replaces the caller's, and what the caller stated
 * about where it is served is removed. No other byte changes.
 */
import { removeFields, spliceParts } from '../../../wire/json-splice.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PatchedRequest, RequestEdits } from '../../interface/request-edits.ts';
import { nameEdit, routingFields } from '../../kit/relay/routing-fields.ts';

export function patchPart({ document }: Inbound, peek: Peek, { model }: RequestEdits): PatchedRequest {
  const named = nameEdit(document, peek.model, model);
  const removed = removeFields(document, routingFields(document));
  const list = named === null ? [...removed] : [named, ...removed];
  return {
    headers: { 'content-type': 'application/json', accept: peek.stream ? 'text/event-stream' : 'application/json' },
    body: spliceParts(
      document.bytes,
      list.toSorted((left, right) => left.start - right.start),
    ),
  };
}
