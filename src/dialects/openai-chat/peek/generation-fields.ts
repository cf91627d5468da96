/** The governed fields that a request for text may have, besides those of every operation: other caps, more answers, fees, answers that are kept. */
import { type GovernedField, permitted, refused } from '../../kit/peek/governed-field.ts';
import type { LookedName, Objection } from '../../kit/peek/looked-field.ts';
import { objectionToPlugins } from './openrouter-fields.ts';
import { STORED } from './stored-data.ts';

export type LookedField = GovernedField & LookedName;

export const MORE_ANSWERS = 'some servers then generate several answers and charge for each';
export const SEND_N = 'Send "n".';
export const OTHER_CAP = 'some servers use it instead of the output cap that the hold is based on';
export const SEND_CAP = 'Send "max_tokens".';
const OTHER_NUMBER = 'some servers use it instead of the number of answers that the hold is based on';
const OTHER_SETTINGS =
  'some servers read a cap or a number of answers from it, instead of those that the hold is based on';
const LEAVE_OUT = 'Leave this field out.';
const SEND_TOP = 'Send "max_tokens", "n", "temperature" and so on at the top level.';

export const generationFields: readonly LookedField[] = [
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
  permitted('use_beam_search', [false], MORE_ANSWERS),
  // Gemini's and Ollama's own APIs: both contain a cap, and Gemini's also the number of answers.
  refused('generationConfig', OTHER_SETTINGS, SEND_TOP),
  refused('options', OTHER_SETTINGS, SEND_TOP),
  refused('container', STORED, LEAVE_OUT),
];

/** A field with an inspected value. */
export function looked(
  name: string,
  passing: string,
  at: (value: unknown) => Objection | null,
  reason: string,
  remedy: string,
): LookedField {
  return { name, passes: [], reason, remedy, looked: { at, passes: passing } };
}
