/**
 * The fields of a Messages request that choose a model, a price or stored data. The table is closed: its fields are treated as it says,
 * everything else passes, because an unknown field is a vendor's new feature. Fails closed: a value that cannot be judged is refused.
 *
 * The fields: https://docs.anthropic.com/en/api/messages
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { GovernedNames, governedRefusal } from '../../kit/peek/governed-names.ts';
import { type LookedName, refuseObjection } from '../../kit/peek/looked-field.ts';
import { governedRoutes } from '../../kit/peek/routing/governed-routes.ts';
import { searchFields } from '../../kit/peek/search-fields.ts';
import { peekedFields } from './peeked-fields.ts';
import { refuseStoredData, STORED } from './stored-data.ts';

/** How one field is treated. `null`, `[]` and a value in `passes` go through; any other is a 400. */
export interface GovernedField extends LookedName {
  /** JSON texts that go through although the field is governed. */
  readonly passes: readonly string[];
}

const SECOND_MODEL = 'it lets another model answer, at a different price than the requested model';
const OTHER_PRICE = 'it changes the price of the call';
const OPERATOR = 'only the operator of this gateway chooses the provider and the credential of a call';

export const governedFields: readonly GovernedField[] = [
  refused('fallbacks', SECOND_MODEL),
  refused('model_list', SECOND_MODEL),
  refused('context_window_fallbacks', SECOND_MODEL),
  refused('context_window_fallback_dict', SECOND_MODEL),
  refused('content_policy_fallbacks', SECOND_MODEL),
  refused('fallback_credit_token', STORED),
  refused('mcp_servers', 'it makes the provider call other servers, whose token use has no limit'),
  refused('speed', OTHER_PRICE, ['"standard"']),
  refused('service_tier', OTHER_PRICE, ['"auto"', '"standard_only"']),
  refused('inference_geo', OTHER_PRICE),
  refused('billing_policy', 'it changes who pays the provider'),
  refused('container', STORED),
  // `previous_message_id: null` opts in to diagnostics without naming a message.
  refused('diagnostics', STORED, ['{}', '{"previous_message_id":null}']),
  {
    name: 'thread',
    passes: [],
    reason: STORED,
    // The tool runner of the Anthropic SDK sends the whole conversation instead when it reads this code.
    facts: { error_code: 'thread_unsupported_request' },
  },
  // OpenRouter's fields that choose the provider and what runs in addition to the model.
  refused('plugins', OTHER_PRICE),
  ...governedRoutes.map(asTexts),
  refused('api_base', OPERATOR),
  refused('base_url', OPERATOR),
  refused('api_key', OPERATOR),
  refused('extra_headers', OPERATOR),
];

/**
 * Throws 400 for the first governed field whose value is not accepted, and for a misspelling that some provider may accept for a name that
 * is read here.
 */
export function refuseGovernedFields(document: JsonDocument): void {
  for (const [name, field] of document.fields) {
    const governed = topNames.find(name);
    if (governed === null) continue;
    if (governed.looked !== undefined) refuseObjection(document, field, governed, governed.looked);
    if (governed.looked !== undefined || passes(document, field, governed)) continue;
    throw governedRefusal(governed, governed.passes.length === 0);
  }
  for (const field of document.watched) refuseStoredData(field);
}

const topNames = new GovernedNames(governedFields, [...peekedFields, ...searchFields]);
/** No accepted value is longer than this, so a longer one is not read. */
const PASSING_BYTES_MAX = 128;

function asTexts(field: (typeof governedRoutes)[number]): GovernedField {
  return { ...field, passes: field.passes.map((value) => JSON.stringify(value)) };
}

function refused(name: string, reason: string, passing: readonly string[] = []): GovernedField {
  return { name, passes: passing, reason };
}

function passes(document: JsonDocument, field: JsonField, governed: GovernedField): boolean {
  if (field.type === 'null') return true;
  if (field.valueEnd - field.valueStart > PASSING_BYTES_MAX) return false;
  const text = document.bytes.toString('utf8', field.valueStart, field.valueEnd).replace(/\s/g, '');
  return text === '[]' || governed.passes.includes(text);
}
