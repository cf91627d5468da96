/**
 * The fields of a chat completions request that choose a model, a price, an upstream or stored data. The table is closed: its fields are
 * treated as it says, everything else passes, because an unknown field is a vendor's new feature. `null` and `[]` always pass. Fails
 * closed: a value that cannot be judged is refused.
 *
 * Reviewed and allowed: `user`, `metadata`, `safety_identifier` and `session_id` are labels; `transforms`, `prediction` and `moderation`
 * change neither model nor price lines (OpenRouter's fields: `openrouter-fields.ts`); `prompt_cache_key` only chooses which of a provider's
 * machines is tried first, and a cache hit still requires the same prompt, so a key shared by two accounts reveals no more than the shared
 * credential does already.
 *
 * The fields: https://platform.openai.com/docs/api-reference/chat/create,
 * https://openrouter.ai/docs/api-reference/parameters
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { type GovernedField, passes, permitted, refused } from '../../kit/peek/governed-field.ts';
import { GovernedNames, governedRefusal } from '../../kit/peek/governed-names.ts';
import { type LookedName, type Objection, refuseObjection } from '../../kit/peek/looked-field.ts';
import { searchFields } from '../../kit/peek/search-fields.ts';
import { generalFields } from './general-fields.ts';
import { OPENROUTER_FIELDS, objectionToPlugins } from './openrouter-fields.ts';
import { objectionToAudio } from './own-voices.ts';
import { peekedFields } from './peeked-fields.ts';
import { refuseStoredData, STORED } from './stored-data.ts';

export type LookedField = GovernedField & LookedName;

const OTHER_CAP = 'some servers use it instead of the output cap that the hold is based on';
const OTHER_NUMBER = 'some servers use it instead of the number of answers that the hold is based on';
const MORE_ANSWERS = 'some servers then generate several answers and charge for each';
const OTHER_SETTINGS =
  'some servers read a cap or a number of answers from it, instead of those that the hold is based on';

const LEAVE_OUT = 'Leave this field out.';
const SEND_CAP = 'Send "max_tokens".';
const SEND_N = 'Send "n".';
const SEND_TOP = 'Send "max_tokens", "n", "temperature" and so on at the top level.';

export const governedFields: readonly LookedField[] = [
  ...generalFields,
  looked(
    'plugins',
    'plugins with `enabled: false`, and `context-compression`',
    objectionToPlugins,
    'some plugins are charged separately from tokens, and others choose another model',
    LEAVE_OUT,
  ),
  refused('search_parameters', 'searches are charged per source, for which there is no price', LEAVE_OUT),
  refused('mcp_servers', 'it makes the provider call other servers, whose token use has no limit', LEAVE_OUT),
  permitted('speed', ['standard'], 'the other speeds have different prices'),
  permitted('modalities', ['text', 'audio'], 'the cost of other modalities is not included in chat tokens'),
  looked(
    'audio',
    "a voice of the vendor's, by its name",
    objectionToAudio,
    STORED,
    "Send the name of one of the vendor's voices.",
  ),
  permitted('store', [false], "data would be stored under the provider's credential, which all accounts share"),
  permitted('deferred', [false], 'a deferred answer is fetched later, so it cannot be metered'),
  permitted('background', [false], 'a background answer is fetched later, so it cannot be metered'),
  // llama.cpp, Text Generation Inference, Ollama and OpenAI's other interface have their own names.
  refused('n_predict', OTHER_CAP, SEND_CAP),
  refused('num_predict', OTHER_CAP, SEND_CAP),
  refused('max_new_tokens', OTHER_CAP, SEND_CAP),
  refused('max_output_tokens', OTHER_CAP, SEND_CAP),
  refused('max_length', OTHER_CAP, SEND_CAP),
  refused('max_gen_len', OTHER_CAP, SEND_CAP),
  refused('max_tokens_to_sample', OTHER_CAP, SEND_CAP),
  refused('n_cmpl', OTHER_NUMBER, SEND_N),
  refused('num_completions', OTHER_NUMBER, SEND_N),
  refused('num_generations', OTHER_NUMBER, SEND_N),
  refused('num_return_sequences', OTHER_NUMBER, SEND_N),
  refused('candidate_count', OTHER_NUMBER, SEND_N),
  refused('best_of', MORE_ANSWERS, SEND_N),
  permitted('use_beam_search', [false], MORE_ANSWERS),
  // Gemini's and Ollama's own APIs: both contain a cap, and Gemini's also the number of answers.
  refused('generationConfig', OTHER_SETTINGS, SEND_TOP),
  refused('options', OTHER_SETTINGS, SEND_TOP),
  refused('previous_response_id', STORED, 'Send the whole conversation in "messages".'),
  refused('conversation', STORED, 'Send the whole conversation in "messages".'),
  refused('thread', STORED, 'Send the whole conversation in "messages".'),
  refused('container', STORED, LEAVE_OUT),
  // Azure reads it with the operator's identity, and adds what it finds to the prompt:
  // https://learn.microsoft.com/en-us/azure/ai-services/openai/references/on-your-data
  refused('data_sources', STORED, 'Send the content itself in "messages".'),
];

/**
 * Throws 400 for the first governed field whose value is not accepted, and for a misspelling that some provider may accept for a name that
 * is read here.
 */
export function refuseGovernedFields(document: JsonDocument): void {
  document.fields.forEach((field, name) => {
    const governed = topNames.find(name);
    if (governed === null) return;
    if (governed.looked !== undefined) refuseObjection(document, field, governed, governed.looked);
    else if (!passes(document, field, governed)) throw governedRefusal(governed, governed.passes.length === 0);
  });
  for (const field of document.watched) refuseStoredData(field);
}

const topNames = new GovernedNames(governedFields, [...peekedFields, ...searchFields, ...OPENROUTER_FIELDS]);
function looked(
  name: string,
  passing: string,
  at: (value: unknown) => Objection | null,
  reason: string,
  remedy: string,
): LookedField {
  return { name, passes: [], reason, remedy, looked: { at, passes: passing } };
}
