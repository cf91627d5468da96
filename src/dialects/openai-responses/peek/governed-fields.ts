/**
 * The fields of a request that choose a model, a price, an upstream or stored data. The table is closed: its fields are treated as it says,
 * everything else passes, because an unknown field is a vendor's new feature. `null` and `[]` always pass. Fails closed: a value that cannot
 * be judged is refused.
 *
 * `previous_response_id` is in `stored-references.ts`. Reviewed and allowed: `user`, `metadata`, `client_metadata` and `safety_identifier` are
 * labels; `store` only decides whether the answer can be read again, which needs its id; `prompt_cache_key` as in the chat completions format.
 *
 * The fields: https://platform.openai.com/docs/api-reference/responses/create
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { type GovernedField, passes, permitted, refused } from '../../kit/peek/governed-field.ts';
import { GovernedNames, governedRefusal } from '../../kit/peek/governed-names.ts';
import { type LookedName, refuseObjection } from '../../kit/peek/looked-field.ts';
import { governedRoutes } from '../../kit/peek/routing/governed-routes.ts';
import { searchFields } from '../../kit/peek/search-fields.ts';
import { peekedFields, present } from './peeked-fields.ts';
import { refuseStoredData, SEND_INPUT, STORED } from './stored-data.ts';

const SECOND_MODEL = 'it lets another model answer, at a different price than the requested model';
const OTHER_PRICE = 'it changes the price of the call';
const OTHER_UPSTREAM = 'only the operator of this gateway chooses the provider and the credential of a call';
const OTHER_CAP = 'some servers use it instead of the output cap that the hold is based on';
const MORE_ANSWERS = 'some servers then generate several answers and charge for each';
const LATER = 'a background answer is fetched later, so it cannot be metered';

const ONE_MODEL = 'Send one "model" and leave this field out.';
const LEAVE_OUT = 'Leave this field out.';
const SEND_CAP = 'Send "max_output_tokens".';

export const governedFields: readonly (GovernedField & LookedName)[] = [
  ...governedRoutes,
  refused('fallbacks', SECOND_MODEL, ONE_MODEL),
  refused('model_list', SECOND_MODEL, ONE_MODEL),
  refused('context_window_fallbacks', SECOND_MODEL, ONE_MODEL),
  refused('context_window_fallback_dict', SECOND_MODEL, ONE_MODEL),
  refused('content_policy_fallbacks', SECOND_MODEL, ONE_MODEL),
  refused('preset', 'it selects settings stored at the provider, including a model', ONE_MODEL),
  refused('plugins', OTHER_PRICE, LEAVE_OUT),
  refused('search_parameters', 'searches are charged per source, for which there is no price', LEAVE_OUT),
  refused('mcp_servers', 'it makes the provider call other servers, whose token use has no limit', LEAVE_OUT),
  // OpenAI sets no limit on how many agents a call starts, nor on how deep: a cap bounds one of them.
  // https://platform.openai.com/docs/api-reference/responses/create (beta)
  refused('multi_agent', 'the provider then starts any number of agents, whose token use has no limit', LEAVE_OUT),
  refused('inference_geo', OTHER_PRICE, LEAVE_OUT),
  permitted('service_tier', ['auto', 'default'], 'the other tiers have different prices'),
  permitted('speed', ['standard'], 'the other speeds have different prices'),
  permitted('modalities', ['text'], 'the cost of other modalities is not included in its tokens'),
  permitted('background', [false], LATER),
  permitted('deferred', [false], LATER),
  refused('max_tokens', OTHER_CAP, SEND_CAP),
  refused('max_completion_tokens', OTHER_CAP, SEND_CAP),
  refused('max_new_tokens', OTHER_CAP, SEND_CAP),
  refused('n_predict', OTHER_CAP, SEND_CAP),
  refused('num_predict', OTHER_CAP, SEND_CAP),
  refused('n', MORE_ANSWERS, LEAVE_OUT),
  refused('best_of', MORE_ANSWERS, LEAVE_OUT),
  refused('extra_body', 'some servers merge its content into the request', 'Send its fields at the top level.'),
  refused('conversation', STORED, SEND_INPUT),
  refused('prompt', STORED, SEND_INPUT),
  refused('container', STORED, LEAVE_OUT),
  refused('data_sources', STORED, SEND_INPUT),
  // Azure's agents are stored with a model, tools and instructions of their own.
  refused('agent', SECOND_MODEL, ONE_MODEL),
  refused('agent_reference', SECOND_MODEL, ONE_MODEL),
  refused('api_base', OTHER_UPSTREAM, LEAVE_OUT),
  refused('base_url', OTHER_UPSTREAM, LEAVE_OUT),
  refused('api_key', OTHER_UPSTREAM, LEAVE_OUT),
  refused('extra_headers', OTHER_UPSTREAM, LEAVE_OUT),
];

/**
 * Throws 400 for the first governed field whose value is not accepted, and for a misspelling that some provider may accept for a name that
 * is read here.
 */
export function refuseGovernedFields(document: JsonDocument): void {
  refuseItemsInInstructions(document);
  document.fields.forEach((field, name) => {
    const governed = topNames.find(name);
    if (governed === null) return;
    if (governed.looked !== undefined) refuseObjection(document, field, governed, governed.looked);
    else if (!passes(document, field, governed)) throw governedRefusal(governed, governed.passes.length === 0);
  });
  for (const field of document.watched) refuseStoredData(field);
}

/** Some servers take items there as well; files, media and ids are searched for in `input` alone. */
function refuseItemsInInstructions(document: JsonDocument): void {
  const field = present(document, 'instructions');
  if (field !== null && field.type !== 'string')
    throw invalid('instructions', '"instructions" must be a string. Send items in "input".');
}

const topNames = new GovernedNames(governedFields, [...peekedFields, ...searchFields]);
