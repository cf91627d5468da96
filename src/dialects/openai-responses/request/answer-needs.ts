/**
 * What an answer of this format needs of its request: the settings that it repeats, and how the caller named its tools.
 *
 * https://platform.openai.com/docs/api-reference/responses/object
 */
import type { Json, JsonObject } from '../../../chat/request.ts';
import { isAbsent } from '../../kit/request/request-values.ts';
import type { ToolKit, ToolOrigin } from './read-tools.ts';

export interface AnswerNeeds {
  /** Fields of the answer. */
  readonly settings: JsonObject;
  /** The tools whose calls are not written as calls of a function of the same name; by their name in the neutral form. */
  readonly tools: readonly (readonly [name: string, origin: ToolOrigin])[];
}

export function answerNeeds(body: JsonObject, { origins }: ToolKit): AnswerNeeds {
  return {
    settings: settingsOf(body),
    tools: [...origins].filter(([, { namespace, custom }]) => namespace !== null || custom),
  };
}

/**
 * The fields that OpenAI's libraries expect in every answer, and what else it repeats of a request; as sent, or as they are by default.
 * Nothing is stored, whatever was asked for.
 */
export function settingsOf(body: JsonObject): JsonObject {
  const sent = (name: string, otherwise: Json): Json => {
    const value = body[name] ?? null;
    return value === null || !isShort(value) ? otherwise : value;
  };
  return {
    background: false,
    instructions: sent('instructions', null),
    max_output_tokens: sent('max_output_tokens', null),
    max_tool_calls: sent('max_tool_calls', null),
    metadata: sent('metadata', {}),
    parallel_tool_calls: sent('parallel_tool_calls', true),
    previous_response_id: null,
    prompt_cache_key: sent('prompt_cache_key', null),
    reasoning: sent('reasoning', { effort: null, summary: null }),
    safety_identifier: sent('safety_identifier', null),
    service_tier: sent('service_tier', 'default'),
    store: false,
    temperature: sent('temperature', 1),
    text: sent('text', { format: { type: 'text' } }),
    tool_choice: sent('tool_choice', 'auto'),
    tools: toolsOf(body['tools']),
    top_logprobs: 0,
    top_p: sent('top_p', 1),
    truncation: 'disabled',
    user: sent('user', null),
  };
}

/**
 * A streamed answer repeats the settings three times, so what is longer than any client needs back is left out: the client has it, and this
 * is only a copy.
 */
const REPEATED_LENGTH_MAX = 64 * 1024;

function isShort(value: Json): boolean {
  if (typeof value === 'string') return value.length <= REPEATED_LENGTH_MAX;
  return typeof value !== 'object' || JSON.stringify(value).length <= REPEATED_LENGTH_MAX;
}

/** Typed clients expect `strict` and `parameters` of a function. */
function toolsOf(tools: Json | undefined): Json {
  if (!Array.isArray(tools)) return [];
  const list = tools as readonly JsonObject[];
  const written = list.map((tool) =>
    isAbsent(tool['type']) || tool['type'] === 'function'
      ? { type: 'function', description: null, parameters: null, strict: null, ...tool }
      : tool,
  );
  return isShort(written) ? written : [];
}
