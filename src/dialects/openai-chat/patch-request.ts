/**
 * The relayed request. Every byte stays but for the closed list of edits: the model's name at the
 * provider, `stream_options.include_usage` on streams (without it OpenAI reports no usage there),
 * and the output cap: under the provider's name for it, and where the gateway sets one.
 */
import { type JsonDocument, scanInside } from '../../wire/json-scan.ts';
import { type Edit, insertField, replaceValue, spliceParts } from '../../wire/json-splice.ts';
import type { Inbound, Outbound, Peek, RequestEdits } from '../dialect.ts';
import { modelJson } from '../model-json.ts';
import { capEdits } from './cap-edits.ts';
import { required } from './request-fields.ts';

export function patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits): Pick<Outbound, 'headers' | 'body'> {
  return {
    headers: relayedHeaders(inbound, peek),
    body: spliceParts(inbound.document.bytes, requestEdits(inbound.document, peek, edits)),
  };
}

/** The edits in the order of their place. */
export function requestEdits(document: JsonDocument, peek: Peek, edits: RequestEdits): readonly Edit[] {
  const list: Edit[] = [];
  if (edits.model !== peek.model) list.push(replaceValue(required(document, 'model'), modelJson(edits.model).bytes));
  list.push(...capEdits(document, peek.outputCap, edits));
  if (peek.stream && !peek.wantsUsage) list.push(usageEdit(document));
  return list.length < 2 ? list : list.sort((left, right) => left.start - right.start || left.end - right.end);
}

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

function usageEdit(document: JsonDocument): Edit {
  const options = document.fields.get('stream_options');
  if (options === undefined) return insertField(document, 'stream_options', '{"include_usage":true}');
  if (options.type !== 'object') return replaceValue(options, '{"include_usage":true}');
  const inside = scanInside(document, options);
  const flag = inside.fields.get('include_usage');
  return flag === undefined ? insertField(inside, 'include_usage', 'true') : replaceValue(flag, 'true');
}
