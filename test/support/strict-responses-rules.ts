/** What Responses refuses of a request besides its input. https://platform.openai.com/docs/api-reference/responses/create */

import { textOf } from './strict-answer.ts';
import { refused } from './strict-openai-messages.ts';
import { checkClosed } from './strict-openai-rules.ts';
import { allow, checkInput, inputOf } from './strict-responses-input.ts';
import { isObject, type JsonObject, listOf } from './strict-server.ts';

const COUNTED_FIELDS = [
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'text', 'reasoning'],
  ...['truncation', 'previous_response_id', 'conversation'],
];
const FIELDS = [
  ...COUNTED_FIELDS,
  ...['max_output_tokens', 'max_tool_calls', 'temperature', 'top_p', 'top_logprobs', 'include', 'store', 'stream'],
  ...['stream_options', 'metadata', 'prompt_cache_key', 'safety_identifier', 'user', 'service_tier', 'background'],
  ...['client_metadata', 'context_management'],
];
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const USER_LENGTH_MAX = 64;

/** `isCount`: only its tokens are to be counted. */
export function checkResponsesRequest(body: JsonObject, isCount = false): void {
  const { model } = body;
  if (typeof model !== 'string') throw refused("Missing required parameter: 'model'.", 'model');
  allowTop(body, isCount ? COUNTED_FIELDS : FIELDS);
  checkNumbers(body, model.endsWith('-nosampling'));
  checkTools(body);
  checkText(body);
  checkReasoning(body);
  if (body['store'] !== false && !isCount && !model.endsWith('-stores'))
    throw refused('This organization stores nothing: send store: false.', 'store', 'unsupported_value');
  const { user } = body;
  if (typeof user === 'string' && user.length > USER_LENGTH_MAX)
    throw refused("Invalid 'user': string too long.", 'user', 'string_above_max_length');
  if (body['stream_options'] !== undefined && body['stream'] !== true)
    throw refused("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  checkInput(body);
}

function allowTop(body: JsonObject, known: readonly string[]): void {
  const stranger = Object.keys(body).find((name) => !known.includes(name));
  if (stranger !== undefined) throw refused(`Unknown parameter: '${stranger}'.`, stranger, 'unknown_parameter');
}

function checkNumbers(body: JsonObject, fixed: boolean): void {
  const cap = body['max_output_tokens'];
  if (cap !== undefined && (!Number.isInteger(cap) || Number(cap) < 16))
    throw refused(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${String(cap)} instead.`,
      'max_output_tokens',
      'integer_below_min_value',
    );
  for (const [name, high] of [['temperature', 2] as const, ['top_p', 1] as const]) {
    const value = body[name];
    if (value === undefined) continue;
    if (fixed) throw refused(`Unsupported parameter: '${name}' is not supported with this model.`, name);
    if (typeof value !== 'number' || value < 0 || value > high) throw refused(`Invalid '${name}'.`, name);
  }
}

function checkTools({ tools, tool_choice: choice, parallel_tool_calls: parallel }: JsonObject): void {
  if (tools === undefined) {
    if (choice !== undefined && choice !== 'none' && choice !== 'auto')
      throw refused("Tool choice 'required' must be specified with 'tools' parameter.", 'tool_choice');
    if (parallel !== undefined && parallel !== true) throw refused("'parallel_tool_calls' needs 'tools'.");
  }
  listOf(tools).forEach((tool, index) => {
    checkTool(tool, `tools[${index}]`);
  });
  if (!isObject(choice)) return;
  const known = listOf(tools).some(({ type, name }) => type === choice['type'] && name === choice['name']);
  if (!known) throw refused(`Tool choice '${String(choice['name'])}' not found in 'tools' parameter.`, 'tool_choice');
}

function checkTool(tool: JsonObject, at: string): void {
  const { type, name, parameters, strict } = tool;
  if (type === 'namespace') {
    allow(tool, ['type', 'name', 'description', 'tools'], at);
    for (const [index, inner] of listOf(tool['tools']).entries()) checkTool(inner, `${at}.tools[${index}]`);
    return;
  }
  if (type !== 'function' && type !== 'custom') throw refused(`Invalid value: '${String(type)}'.`, `${at}.type`);
  if (!NAME.test(String(name))) throw refused(`Invalid '${at}.name': string does not match pattern.`, `${at}.name`);
  if (type === 'custom') return allow(tool, ['type', 'name', 'description', 'format'], at);
  allow(tool, ['type', 'name', 'description', 'parameters', 'strict'], at);
  if (!isObject(parameters) || parameters['type'] !== 'object')
    throw refused(`Invalid schema for function '${String(name)}'.`, `${at}.parameters`, 'invalid_function_parameters');
  // Left out, it counts as true.
  if (strict !== false) checkClosed(parameters, `function '${String(name)}'`, `${at}.parameters`);
}

function checkText(body: JsonObject): void {
  const { text } = body;
  if (text === undefined) return;
  allow(text, ['format', 'verbosity'], 'text');
  const format = isObject(text) ? text['format'] : undefined;
  if (!isObject(format)) return;
  if (format['type'] === 'json_object') {
    const said = [...inputOf(body).map(textOf), String(body['instructions'])].join(' ');
    if (/json/i.test(said)) return;
    throw refused("Response input messages must contain the word 'json' in some form.", 'input');
  }
  if (format['type'] !== 'json_schema') return;
  allow(format, ['type', 'name', 'description', 'schema', 'strict'], 'text.format');
  if (!NAME.test(String(format['name']))) throw refused("Missing required parameter: 'text.format.name'.");
  if (format['strict'] === true) checkClosed(format['schema'], 'response_format', 'text.format.schema');
}

function checkReasoning({ reasoning, include }: JsonObject): void {
  for (const name of Array.isArray(include) ? include : [])
    if (name !== 'reasoning.encrypted_content') throw refused(`Invalid value: '${String(name)}'.`, 'include');
  if (reasoning === undefined) return;
  allow(reasoning, ['effort', 'summary'], 'reasoning');
  const { effort, summary } = isObject(reasoning) ? reasoning : {};
  if (effort !== undefined && !EFFORTS.includes(String(effort)))
    throw refused(`Invalid value: '${String(effort)}'.`, 'reasoning.effort', 'invalid_value');
  if (summary !== undefined && !['auto', 'concise', 'detailed'].includes(String(summary)))
    throw refused(`Invalid value: '${String(summary)}'.`, 'reasoning.summary', 'invalid_value');
}
