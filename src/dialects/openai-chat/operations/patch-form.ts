import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import type { RelayedRequest, RequestEdits } from '../../interface/request-edits.ts';

/** Edits a relayed form: its fields and its files as they came, but for the model's name. */
export function patchForm({ form }: Inbound, _peek: Peek, { model }: RequestEdits): RelayedRequest {
  if (form === undefined) throw new Error('the request comes in a form');
  const name = Buffer.from(model);
  const body = form.write((field) => (field.name === 'model' ? { name: field.name, value: name } : field));
  return { headers: { 'content-type': body.contentType, accept: '*/*' }, body };
}
