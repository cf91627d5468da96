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
import { passes, permitted, refused } from '../../kit/peek/governed-field.ts';
import { GovernedNames, governedRefusal } from '../../kit/peek/governed-names.ts';
import { refuseObjection } from '../../kit/peek/looked-field.ts';
import { searchFields } from '../../kit/peek/search-fields.ts';
import { generalFields } from './general-fields.ts';
import { generationFields, type LookedField, looked, MORE_ANSWERS, SEND_N } from './generation-fields.ts';
import { OPENROUTER_FIELDS } from './openrouter-fields.ts';
import { objectionToAudio } from './own-voices.ts';
import { peekedFields } from './peeked-fields.ts';
import { refuseStoredData, STORED } from './stored-data.ts';

const SEND_ALL = 'Send the whole conversation in "messages".';

export const governedFields: readonly LookedField[] = [
  ...generalFields,
  ...generationFields,
  permitted('modalities', ['text', 'audio'], 'the cost of other modalities is not included in chat tokens'),
  looked(
    'audio',
    "a voice of the vendor's, by its name",
    objectionToAudio,
    STORED,
    "Send the name of one of the vendor's voices.",
  ),
  refused('best_of', MORE_ANSWERS, SEND_N),
  refused('previous_response_id', STORED, SEND_ALL),
  refused('conversation', STORED, SEND_ALL),
  refused('thread', STORED, SEND_ALL),
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
