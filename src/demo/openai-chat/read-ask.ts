/**
 * Reads a Chat Completions request. What it checks, it checks as strictly as the real API; unknown fields are ignored,
 * because compatible clients send many. https://platform.openai.com/docs/api-reference/chat/create
 */
import { isObject, type JsonObject, objectsOf } from '../../core/json-object.ts';
import type { AnswerFormat, Ask, ToolChoice, ToolOffer } from '../ask.ts';
import { checkFits, openaiOverflow } from '../limits.ts';
import type { PromptCache, PromptSegment } from '../prompt-cache.ts';
import { badRequest } from '../refusal.ts';
import { checkMessages } from './check-messages.ts';
import { textOf, userMediaTokens } from './content.ts';
import { checkRange, readChoices, readFlag, readStops, readWhole } from './read-fields.ts';

export interface OpenaiAsk extends Ask {
  readonly includeUsage: boolean;
  readonly obfuscate: boolean;
}

const TOOLS_MAX = 128;
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function readOpenaiAsk(body: JsonObject, cache: PromptCache): OpenaiAsk {
  const model = body['model'];
  if (typeof model !== 'string' || model === '') throw badRequest('The model is missing.', { param: 'model' });
  const messages = checkMessages(body['messages']);
  const stream = readFlag(body, 'stream');
  const streamOptions = body['stream_options'];
  if (!stream && isObject(streamOptions)) {
    throw badRequest("'stream_options' goes with 'stream' only.", { param: 'stream_options' });
  }
  checkRange(body, 'temperature', 0, 2);
  checkRange(body, 'top_p', 0, 1);
  const tools = readTools(body['tools']);
  const lastUser = messages.findLastIndex((message) => message['role'] === 'user');
  const sinceUser = messages.slice(lastUser + 1);
  const prompt = cache.readAutomatic(readPrompt(body, messages));
  checkFits(prompt.input + prompt.cacheRead, openaiOverflow);
  return {
    model,
    stream,
    userText: textOf(messages[lastUser]?.['content']),
    outputCap: readWhole(body, 'max_completion_tokens', 1) ?? readWhole(body, 'max_tokens', 1),
    stops: readStops(body['stop']),
    choices: readChoices(body),
    tools,
    toolChoice: readToolChoice(body['tool_choice'], tools),
    parallelTools: body['parallel_tool_calls'] !== false,
    toolResults: readToolResults(messages),
    toolRounds: sinceUser.filter((message) => objectsOf(message['tool_calls']).length > 0).length,
    format: readFormat(body['response_format']),
    thinking: ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'].includes(String(body['reasoning_effort']))
      ? 'counted'
      : 'none',
    prompt,
    includeUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
    obfuscate: !(isObject(streamOptions) && streamOptions['include_obfuscation'] === false),
  };
}

function readPrompt(body: JsonObject, messages: readonly JsonObject[]): PromptSegment[] {
  const segments: PromptSegment[] = [];
  for (const tool of objectsOf(body['tools'])) segments.push(segment('tools', JSON.stringify(tool)));
  for (const message of messages) {
    const calls = objectsOf(message['tool_calls']).map((call) => JSON.stringify(call['function'] ?? call['custom']));
    const text = [textOf(message['content']), ...calls].join('\n');
    segments.push({
      ...segment(String(message['role']), calls.length === 0 ? textOf(message['content']) : text),
      mediaTokens: userMediaTokens(message['content']),
    });
  }
  return segments;
}

function segment(role: string, text: string): PromptSegment {
  return { role, text, mediaTokens: 0, mark: null };
}

function readTools(tools: unknown): ToolOffer[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools) || tools.length === 0) {
    throw badRequest("Invalid 'tools': a list with at least one tool is expected.", {
      param: 'tools',
      code: 'empty_array',
    });
  }
  if (tools.length > TOOLS_MAX) {
    throw badRequest(`Invalid 'tools': at most ${TOOLS_MAX} are taken.`, {
      param: 'tools',
      code: 'array_above_max_length',
    });
  }
  return tools.map((tool, index) => readTool(tool, `tools[${index}]`));
}

function readTool(tool: unknown, param: string): ToolOffer {
  const declared = isObject(tool) ? (tool['function'] ?? tool['custom']) : undefined;
  if (!isObject(declared)) throw badRequest(`Missing 'function' in '${param}'.`, { param });
  const name = declared['name'];
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    throw badRequest(`Invalid '${param}.function.name': it does not match ${TOOL_NAME.source}.`, {
      param: `${param}.function.name`,
      code: 'invalid_value',
    });
  }
  const schema = declared['parameters'];
  return { name, schema: isObject(schema) ? schema : { type: 'object', properties: {} } };
}

function readToolChoice(choice: unknown, tools: readonly ToolOffer[]): ToolChoice {
  if (choice === undefined || choice === null) return { type: 'auto' };
  if (tools.length === 0) {
    throw badRequest("'tool_choice' goes with 'tools' only.", { param: 'tool_choice' });
  }
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  if (isObject(choice) && choice['type'] === 'allowed_tools') return { type: 'auto' };
  const wanted = isObject(choice) ? (choice['function'] ?? choice['custom']) : undefined;
  const name = isObject(wanted) ? wanted['name'] : undefined;
  if (typeof name === 'string' && tools.some((tool) => tool.name === name)) return { type: 'named', name };
  throw badRequest("Invalid 'tool_choice': no such tool is offered.", { param: 'tool_choice' });
}

/** The tool messages at the end, with the names of the called tools. */
function readToolResults(messages: readonly JsonObject[]): Ask['toolResults'] {
  const firstResult = messages.findLastIndex((message) => message['role'] !== 'tool') + 1;
  const calls = new Map(objectsOf(messages[firstResult - 1]?.['tool_calls']).map((call) => [call['id'], call]));
  return messages.slice(firstResult).map((message) => {
    const call = calls.get(message['tool_call_id']);
    const called = call?.['function'] ?? call?.['custom'];
    return { name: isObject(called) ? String(called['name']) : 'tool', text: textOf(message['content']) };
  });
}

function readFormat(format: unknown): AnswerFormat {
  if (format === undefined || format === null) return { type: 'text' };
  const type = isObject(format) ? format['type'] : undefined;
  if (type === 'text') return { type: 'text' };
  if (type === 'json_object') return { type: 'json' };
  const declared = isObject(format) ? format['json_schema'] : undefined;
  if (type === 'json_schema' && isObject(declared)) {
    if (typeof declared['name'] !== 'string' || !TOOL_NAME.test(declared['name'])) {
      throw badRequest("Missing 'response_format.json_schema.name'.", { param: 'response_format.json_schema.name' });
    }
    return { type: 'schema', schema: isObject(declared['schema']) ? declared['schema'] : { type: 'object' } };
  }
  throw badRequest("Invalid 'response_format'.", { param: 'response_format', code: 'invalid_value' });
}
