/** What Chat Completions refuses of a request besides its messages. https://platform.openai.com/docs/api-reference/chat/create */
import { textOf } from './strict-answer.ts';
import { checkMessages, refused } from './strict-openai-messages.ts';
import { isObject, type JsonObject, listOf } from './strict-server.ts';

const FIELDS = [
  ...['model', 'messages', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'frequency_penalty'],
  ...['presence_penalty', 'n', 'stop', 'seed', 'logprobs', 'top_logprobs', 'logit_bias', 'stream', 'stream_options'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'reasoning_effort', 'verbosity', 'modalities'],
  ...['audio', 'prediction', 'service_tier', 'store', 'metadata', 'prompt_cache_key', 'safety_identifier', 'user'],
];
/** A self-hosted server may know vLLM's: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html */
const SERVED_FIELDS = [...FIELDS, 'include_reasoning'];
const ROUTED_FIELDS = [
  ...FIELDS,
  'reasoning',
  'include_reasoning',
  'top_k',
  'min_p',
  'usage',
  'cache_control',
  'transforms',
  'plugins',
];
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function checkChatRequest(body: JsonObject, routes: boolean): void {
  const { model } = body;
  if (typeof model !== 'string') throw refused('you must provide a model parameter');
  const isNew = model === 'gpt-new';
  const known = routes ? ROUTED_FIELDS : isNew ? FIELDS : SERVED_FIELDS;
  const stranger = Object.keys(body).find((name) => !known.includes(name));
  if (stranger !== undefined) throw refused(`Unrecognized request argument supplied: ${stranger}`);
  checkCap(body, isNew);
  checkSampling(body, isNew || model.endsWith('-nosampling'));
  checkTools(body, isNew);
  checkFormat(body);
  if (body['stream_options'] !== undefined && body['stream'] !== true) {
    throw refused("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
  if (isNew && body['metadata'] !== undefined && body['store'] !== true)
    throw refused("The 'metadata' parameter is only allowed when 'store' is enabled.");
  const { stop } = body;
  if (Array.isArray(stop) && (stop.length > 4 || stop.length === 0)) {
    throw refused("Invalid 'stop': array too long. Expected an array with maximum length 4.", 'stop');
  }
  const effort = body['reasoning_effort'];
  if (effort !== undefined && !EFFORTS.includes(String(effort))) {
    throw refused(`Invalid value: '${String(effort)}'.`, 'reasoning_effort', 'invalid_value');
  }
  checkReasoning(body['reasoning']);
  const thinks = isObject(body['reasoning']) && body['reasoning']['effort'] !== 'none';
  checkMessages(body['messages'], { routes, isNew, thinks });
}

function checkCap(body: JsonObject, isNew: boolean): void {
  if (isNew && body['max_tokens'] !== undefined) {
    throw refused(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    );
  }
  const cap = body['max_completion_tokens'] ?? body['max_tokens'];
  if (cap !== undefined && (!Number.isInteger(cap) || Number(cap) < 1)) throw refused('Invalid cap', 'max_tokens');
}

function checkSampling(body: JsonObject, fixed: boolean): void {
  for (const [name, low, high] of [
    ['temperature', 0, 2],
    ['top_p', 0, 1],
    ['frequency_penalty', -2, 2],
    ['presence_penalty', -2, 2],
  ] as const) {
    const value = body[name];
    if (value === undefined) continue;
    if (fixed && value !== 1) {
      throw refused(
        `Unsupported value: '${name}' does not support ${value} with this model.`,
        name,
        'unsupported_value',
      );
    }
    if (typeof value !== 'number' || value < low || value > high) throw refused(`Invalid '${name}'.`, name);
  }
}

function checkTools(body: JsonObject, isNew: boolean): void {
  const { tools, tool_choice: choice, parallel_tool_calls: parallel } = body;
  if (Array.isArray(tools) && tools.length === 0)
    throw refused("Invalid 'tools': empty array.", 'tools', 'empty_array');
  if (tools === undefined) {
    if (choice !== undefined && choice !== 'none') {
      throw refused("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice');
    }
    if (parallel !== undefined) throw refused("'parallel_tool_calls' is only allowed when 'tools' are specified.");
  }
  listOf(tools).forEach((tool, index) => {
    const kind = isNew && tool['type'] === 'custom' ? 'custom' : 'function';
    const at = `tools[${index}].${kind}`;
    const called = tool[kind];
    if (tool['type'] !== kind || !isObject(called)) throw refused(`Invalid '${at}'`, at);
    const { name, parameters, strict } = called;
    if (!NAME.test(String(name))) {
      throw refused(`Invalid '${at}.name': string does not match pattern.`, `${at}.name`, 'invalid_value');
    }
    if (parameters === undefined) return;
    if (!isObject(parameters) || parameters['type'] !== 'object') {
      throw refused(
        `Invalid schema for function '${String(name)}': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`,
        `${at}.parameters`,
        'invalid_function_parameters',
      );
    }
    if (strict === true) checkClosed(parameters, `function '${String(name)}'`, `${at}.parameters`);
  });
  if (isObject(choice)) {
    const wanted = nameIn(choice);
    const known = listOf(tools).some((tool) => tool['type'] === choice['type'] && nameIn(tool) === wanted);
    if (!known) throw refused(`Tool choice '${String(wanted)}' not found in 'tools' parameter.`, 'tool_choice');
  }
}

/** Of `{type: "function", function: {name}}`, or the same with `custom`. */
function nameIn(tool: JsonObject): unknown {
  const named = tool[String(tool['type'])];
  return isObject(named) ? named['name'] : undefined;
}

function checkFormat(body: JsonObject): void {
  const format = body['response_format'];
  if (format === undefined) return;
  if (!isObject(format)) throw refused("Invalid type for 'response_format'", 'response_format');
  if (format['type'] === 'json_object') {
    const said = listOf(body['messages']).map(textOf).join(' ');
    if (/json/i.test(said)) return;
    throw refused(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    );
  }
  if (format['type'] !== 'json_schema') return;
  const given = format['json_schema'];
  if (!isObject(given) || !NAME.test(String(given['name']))) {
    throw refused(
      "Missing required parameter: 'response_format.json_schema.name'.",
      'response_format.json_schema.name',
    );
  }
  const { schema } = given;
  if (!isObject(schema) || schema['type'] !== 'object') {
    throw refused(`Invalid schema for response_format '${String(given['name'])}': schema must be of 'type: "object"'.`);
  }
  if (given['strict'] === true) checkClosed(schema, `response_format '${String(given['name'])}'`, 'response_format');
}

/** Strict schemas: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export function checkClosed(schema: unknown, what: string, param: string): void {
  if (!isObject(schema)) return;
  if (schema['type'] === 'object') {
    const names = Object.keys(isObject(schema['properties']) ? schema['properties'] : {});
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    if (schema['additionalProperties'] !== false) {
      throw refused(
        `Invalid schema for ${what}: 'additionalProperties' is required to be supplied and to be false.`,
        param,
      );
    }
    if (names.some((name) => !required.includes(name))) {
      throw refused(`Invalid schema for ${what}: 'required' must include every key in properties.`, param);
    }
    for (const name of names) checkClosed((schema['properties'] as JsonObject)[name], what, param);
  }
  checkClosed(schema['items'], what, param);
}

/** https://openrouter.ai/docs/use-cases/reasoning-tokens: an effort or a number of tokens, never both. */
function checkReasoning(reasoning: unknown): void {
  if (reasoning === undefined) return;
  if (!isObject(reasoning)) throw refused("Invalid 'reasoning'", 'reasoning');
  if (reasoning['effort'] !== undefined && reasoning['max_tokens'] !== undefined) {
    throw refused('Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified', 'reasoning');
  }
}
