/**
 * The fields of a request that choose a model, a price or stored data. The table is closed: its fields are treated as it says, everything
 * else passes, because an unknown field is a vendor's new feature. Fails closed: a value that cannot be judged is refused. Those inside
 * `generationConfig` and `tools`: `generation-config.ts`, `server-tools.ts`.
 *
 * The fields: https://ai.google.dev/api/generate-content#request-body
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { type GovernedName, GovernedNames, governedRefusal } from '../../kit/peek/governed-names.ts';
import { bothSpellings } from '../field-names.ts';
import { peekedFields } from './peeked-fields.ts';
import { refuseStoredData, STORED } from './stored-data.ts';

/** How one field is treated, in either spelling. `null`, `[]` and a value in `passes` go through; any other is a 400. */
export interface GovernedField extends GovernedName {
  readonly remedy: string;
  /** In any case, as Google reads words. */
  readonly passes: readonly (string | boolean)[];
}

const SECOND_MODEL = 'it lets another model answer, at a different price than the requested model';
const OPERATOR = 'only the operator of this gateway chooses the provider and the credential of a call';
const LEAVE_OUT = 'Leave this field out.';

export const governedFields: readonly GovernedField[] = [
  refused('cachedContent', STORED, 'Send the content itself; Google caches what repeats.'),
  permitted(
    'serviceTier',
    ['standard', 'unspecified', 'service_tier_unspecified'],
    'the other tiers have different prices',
  ),
  permitted('store', [false], "data would be stored under the provider's credential, which all callers share"),
  refused('modelArmorConfig', STORED, LEAVE_OUT),
  // It names a bucket to write to: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/projects.locations.endpoints/generateContent
  refused('outputConfig', STORED, LEAVE_OUT),
  refused('generationOutputConfig', STORED, LEAVE_OUT),
  refused('continuationToken', STORED, 'Send the whole conversation in "contents".'),
  refused('models', SECOND_MODEL, LEAVE_OUT),
  refused('fallbacks', SECOND_MODEL, LEAVE_OUT),
  refused('modelList', SECOND_MODEL, LEAVE_OUT),
  refused('contextWindowFallbacks', SECOND_MODEL, LEAVE_OUT),
  refused('contextWindowFallbackDict', SECOND_MODEL, LEAVE_OUT),
  refused('contentPolicyFallbacks', SECOND_MODEL, LEAVE_OUT),
  refused('plugins', 'it changes the price of the call', LEAVE_OUT),
  refused('provider', OPERATOR, LEAVE_OUT),
  refused('route', OPERATOR, LEAVE_OUT),
  refused('apiBase', OPERATOR, LEAVE_OUT),
  refused('baseUrl', OPERATOR, LEAVE_OUT),
  refused('apiKey', OPERATOR, LEAVE_OUT),
  refused('extraHeaders', OPERATOR, LEAVE_OUT),
];

/**
 * Throws 400 for the first governed field whose value is not accepted, for a body that names another model than its path, and for a
 * misspelling that some provider may accept for a name that is read here.
 */
export function refuseGovernedFields(document: JsonDocument, model: string): void {
  for (const [name, field] of document.fields) {
    const governed = topNames.find(name);
    if (governed !== null && !passes(document, field, governed))
      throw governedRefusal(governed, governed.passes.length === 0);
    if (name === 'model') refuseOtherModel(document, field, model);
  }
  for (const field of document.watched) refuseStoredData(document, field);
}

const topNames = new GovernedNames(
  governedFields.flatMap((field) => bothSpellings([field.name]).map((name) => ({ ...field, name }))),
  peekedFields,
);
/** No accepted value is longer than this, so a longer one is not read. */
const PASSING_BYTES_MAX = 128;
/** No name of a model is longer. */
export const MODEL_BYTES_MAX = 1024;

function refused(name: string, reason: string, remedy: string): GovernedField {
  return { name, passes: [], reason, remedy };
}

function permitted(name: string, values: readonly (string | boolean)[], reason: string): GovernedField {
  const list = values.map((value) => JSON.stringify(value)).join(' or ');
  return { name, passes: values, reason, remedy: `Send ${list}, or leave this field out.` };
}

function passes(document: JsonDocument, field: JsonField, governed: GovernedField): boolean {
  if (field.type === 'null') return true;
  if (field.valueEnd - field.valueStart > PASSING_BYTES_MAX) return false;
  const value = readValue(document, field);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const words: readonly unknown[] = governed.passes;
  return items.every((item) => words.includes(typeof item === 'string' ? item.toLowerCase() : item));
}

/** Clients that send it have the same name in the path. */
function refuseOtherModel(document: JsonDocument, field: JsonField, model: string): void {
  if (field.type === 'null') return;
  const isShort = field.valueEnd - field.valueStart <= MODEL_BYTES_MAX;
  refuseModel(isShort ? readValue(document, field) : null, model);
}

/** Throws 400 for a value that names another model than the path. The vendor before the name, and `models/`, may be left out. */
export function refuseModel(value: unknown, model: string): void {
  if (typeof value === 'string') {
    const name = value.startsWith('models/') ? value.slice('models/'.length) : value;
    if (value === model || name === model || (name !== '' && model.endsWith(`/${name}`))) return;
  }
  throw governedRefusal({ name: 'model', reason: SECOND_MODEL, remedy: 'The path names the model.' }, false);
}
