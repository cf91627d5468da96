/**
 * Edits a request for a provider that speaks the same format: the caller's bytes with the model's name replaced where the body has it, the
 * output cap that the gateway sets, and without the signatures that this gateway made for other vendors' thoughts. No other byte changes:
 * thought signatures and implicit caches are bound to them.
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import { type Edit, insertField, removeFields, replaceValue, spliceParts } from '../../../wire/json-splice.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PatchedRequest, RequestEdits } from '../../interface/request-edits.ts';
import { FOREIGN_THOUGHTS } from '../../kit/answer/left-out-thoughts.ts';
import { modelsOfRequests, type ValuePlace } from '../peek/embedded-requests.ts';
import { present } from '../peek/peeked-fields.ts';
import type { Quirks } from '../quirks.ts';
import { foreignThoughts } from './foreign-thoughts.ts';

/** The body and the headers for the provider; no credential, and none of the caller's headers. */
export function patchRequest({ document }: Inbound, peek: Peek, edits: RequestEdits<Quirks>): PatchedRequest {
  const own = ownEdits(document, edits);
  const foreign = foreignThoughts(document);
  const list = [...own, ...foreign].sort((left, right) => left.start - right.start);
  return {
    headers: { 'content-type': 'application/json', accept: peek.stream ? 'text/event-stream' : 'application/json' },
    body: spliceParts(document.bytes, list),
    ...(foreign.length > 0 && { warnings: WITHOUT_FOREIGN }),
  };
}

const WITHOUT_FOREIGN = [FOREIGN_THOUGHTS];

function ownEdits(document: JsonDocument, edits: RequestEdits<Quirks>): readonly Edit[] {
  if (edits.operation === 'count_tokens') return countEdits(document, edits);
  return edits.operation === 'embeddings' ? embeddingEdits(document, edits) : chatEdits(document, edits);
}

function chatEdits(document: JsonDocument, { model, outputCap }: RequestEdits<Quirks>): readonly Edit[] {
  return [...modelEdits(document, model), ...(outputCap === null ? [] : [capEdit(document, outputCap)])];
}

/** Each request of a batch repeats the model. */
function embeddingEdits(document: JsonDocument, { model }: RequestEdits<Quirks>): readonly Edit[] {
  const requests = present(document, 'requests');
  const places = requests === null ? [] : modelsOfRequests(document, requests);
  const inside = places.flatMap((place) => (place === null ? [] : modelEditAt(document.bytes, place, model)));
  return [...modelEdits(document, model), ...inside];
}

function modelEditAt(bytes: Buffer, { start, end }: ValuePlace, model: string): readonly Edit[] {
  const value: unknown = JSON.parse(bytes.toString('utf8', start, end));
  return typeof value === 'string' ? [{ start, end, insert: Buffer.from(renamed(value, model)) }] : [];
}

/** Google AI takes a whole request inside the one to count, Vertex its fields. */
function countEdits(document: JsonDocument, { model, quirks }: RequestEdits<Quirks>): readonly Edit[] {
  const whole = present(document, 'generateContentRequest');
  if (whole?.type !== 'object') return modelEdits(document, model);
  const inside = scanInside(document, whole);
  if (quirks.countsWhole) return [...modelEdits(document, model), ...modelEdits(inside, model)];
  const named = inside.fields.get('model');
  return [
    { start: 0, end: whole.valueStart, insert: NOTHING },
    ...(named === undefined ? [] : removeFields(inside, [named])),
    { start: whole.valueEnd, end: document.bytes.length, insert: NOTHING },
  ];
}

const NOTHING = Buffer.alloc(0);

/** The path names the model; some clients repeat it in the body, as a resource or alone. */
function modelEdits(document: JsonDocument, model: string): readonly Edit[] {
  const field = document.fields.get('model');
  if (field?.type !== 'string') return [];
  return [replaceValue(field, renamed(readString(document, field), model))];
}

function renamed(named: string, model: string): string {
  return JSON.stringify(named.startsWith(RESOURCE) ? RESOURCE + model : model);
}

const RESOURCE = 'models/';

/** The caller has set none. */
function capEdit(document: JsonDocument, cap: number): Edit {
  const config = sent(document, CONFIG);
  const alone = `{"maxOutputTokens":${cap}}`;
  if (config === null) return insertField(document, 'generationConfig', alone);
  if (config.type !== 'object') return replaceValue(config, alone);
  const settings = scanInside(document, config);
  const empty = sent(settings, CAP);
  return empty === null ? insertField(settings, 'maxOutputTokens', String(cap)) : replaceValue(empty, String(cap));
}

const CONFIG = ['generationConfig', 'generation_config'];
const CAP = ['maxOutputTokens', 'max_output_tokens'];

/** Also one that is `null`, unless the other spelling has a value. */
function sent({ fields }: JsonDocument, names: readonly string[]): JsonField | null {
  const found = names.map((name) => fields.get(name)).filter((field) => field !== undefined);
  return found.find(({ type }) => type !== 'null') ?? found[0] ?? null;
}
