/**
 * Reads a Messages request. What it checks, it checks as strictly as the real API; unknown fields are ignored, because betas
 * keep adding some. https://docs.anthropic.com/en/api/messages
 */
import { isObject, isWholeNumber, type JsonObject } from '../../core/json-object.ts';
import type { AnswerFormat, Ask, Thinking, ToolChoice, ToolOffer } from '../ask.ts';
import { anthropicOverflow, checkFits } from '../limits.ts';
import type { PromptCache } from '../prompt-cache.ts';
import { badRequest } from '../refusal.ts';
import { blocksOf, checkMessages, textOfBlocks } from './check-messages.ts';
import { readPrompt } from './read-prompt.ts';

export type AnthropicAsk = Ask;

const CACHE_MARKS_MAX = 4;
const BUDGET_TOKENS_MIN = 1024;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
/** From this version on, sampling parameters are refused. */
const VERSION_WITHOUT_SAMPLING = '2026-10-21';

export function readAnthropicAsk(body: JsonObject, version: string | undefined, cache: PromptCache): AnthropicAsk {
  if (version === undefined || version === '') throw badRequest('anthropic-version: header is required');
  const model = body['model'];
  if (typeof model !== 'string' || model === '') throw badRequest('model: Field required');
  if (version >= VERSION_WITHOUT_SAMPLING) refuseSampling(body);
  if (body['thread'] !== undefined) {
    throw badRequest('thread: not supported by this model', {
      details: { error_code: 'thread_unsupported_request' },
    });
  }
  const outputCap = readOutputCap(body['max_tokens']);
  const thinking = readThinking(body['thinking'], outputCap);
  const tools = readTools(body['tools']);
  const toolChoice = readToolChoice(body['tool_choice'], tools);
  const isForced = toolChoice.type === 'required' || toolChoice.type === 'named';
  if (isForced && isObject(body['thinking']) && body['thinking']['type'] === 'enabled') {
    throw badRequest('tool_choice: thinking may not be enabled when a tool call is forced');
  }
  const messages = checkMessages(body['messages'], thinking !== 'none');
  const prompt = readPrompt(body, messages);
  if (prompt.filter((segment) => segment.mark !== null).length > CACHE_MARKS_MAX) {
    throw badRequest(`cache_control: at most ${CACHE_MARKS_MAX} blocks may carry it`);
  }
  const usage = cache.readMarked(prompt);
  checkFits(usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h, anthropicOverflow);
  const lastUser = messages.findLastIndex(
    (message) => message['role'] === 'user' && !blocksOf(message).some((block) => block['type'] === 'tool_result'),
  );
  const sinceUser = messages.slice(lastUser + 1);
  return {
    model,
    stream: body['stream'] === true,
    userText: textOfBlocks(messages[lastUser]),
    outputCap,
    stops: Array.isArray(body['stop_sequences'])
      ? body['stop_sequences'].filter((stop) => typeof stop === 'string')
      : [],
    choices: 1,
    tools,
    toolChoice,
    parallelTools: !(isObject(body['tool_choice']) && body['tool_choice']['disable_parallel_tool_use'] === true),
    toolResults: readToolResults(messages),
    toolRounds: sinceUser.filter((message) => blocksOf(message).some((block) => block['type'] === 'tool_use')).length,
    format: readFormat(body),
    thinking,
    prompt: usage,
  };
}

function refuseSampling(body: JsonObject): void {
  for (const name of ['temperature', 'top_p', 'top_k']) {
    if (body[name] !== undefined) throw badRequest(`${name}: not accepted from version ${VERSION_WITHOUT_SAMPLING} on`);
  }
}

function readOutputCap(value: unknown): number {
  if (value === undefined) throw badRequest('max_tokens: Field required');
  if (!isWholeNumber(value)) throw badRequest('max_tokens: Input should be a valid integer');
  if (value < 0) throw badRequest('max_tokens: Input should be greater than or equal to 0');
  return value;
}

function readThinking(value: unknown, outputCap: number): Thinking {
  if (!isObject(value)) return 'none';
  const shown: Thinking = value['display'] === 'omitted' ? 'omitted' : 'shown';
  switch (value['type']) {
    case 'disabled':
      return 'none';
    case 'adaptive':
    case 'between_tools':
      return shown;
    case 'enabled': {
      const budget = value['budget_tokens'];
      if (!isWholeNumber(budget) || budget < BUDGET_TOKENS_MIN) {
        throw badRequest(
          `thinking.enabled.budget_tokens: Input should be greater than or equal to ${BUDGET_TOKENS_MIN}`,
        );
      }
      if (budget >= outputCap) throw badRequest('max_tokens: it must be greater than thinking.budget_tokens');
      return shown;
    }
    default:
      throw badRequest('thinking.type: there is no such kind of thinking');
  }
}

function readTools(tools: unknown): ToolOffer[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) throw badRequest('tools: Input should be a valid list');
  return tools.flatMap((tool, index) => {
    if (!isObject(tool)) throw badRequest(`tools.${index}: Input should be an object`);
    if (tool['type'] !== undefined && tool['type'] !== 'custom') return [];
    const name = tool['name'];
    if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
      throw badRequest(`tools.${index}.custom.name: String should match pattern '${TOOL_NAME.source}'`);
    }
    const schema = tool['input_schema'];
    if (!isObject(schema) || schema['type'] !== 'object') {
      throw badRequest(`tools.${index}.custom.input_schema.type: Input should be 'object'`);
    }
    return [{ name, schema }];
  });
}

function readToolChoice(choice: unknown, tools: readonly ToolOffer[]): ToolChoice {
  if (!isObject(choice)) return { type: 'auto' };
  switch (choice['type']) {
    case 'auto':
    case 'none':
      return { type: choice['type'] };
    case 'any':
      if (tools.length > 0) return { type: 'required' };
      break;
    case 'tool': {
      const name = choice['name'];
      if (typeof name === 'string' && tools.some((tool) => tool.name === name)) return { type: 'named', name };
      break;
    }
  }
  throw badRequest('tool_choice: no such tool is offered');
}

/** The tool results in the last user message, with the names of the called tools. */
function readToolResults(messages: readonly JsonObject[]): Ask['toolResults'] {
  const last = messages.findLastIndex((message) => message['role'] === 'user');
  const calls = new Map<unknown, JsonObject>();
  for (const block of messages.slice(0, last).flatMap(blocksOf))
    if (!calls.has(block['id'])) calls.set(block['id'], block);
  return blocksOf(messages[last])
    .filter((block) => block['type'] === 'tool_result')
    .map((result) => ({
      name: String(calls.get(result['tool_use_id'])?.['name'] ?? 'tool'),
      text: typeof result['content'] === 'string' ? result['content'] : textOfBlocks(result),
    }));
}

/** `output_format` is the older, beta spelling. */
function readFormat(body: JsonObject): AnswerFormat {
  const config = body['output_config'];
  const format = (isObject(config) ? config['format'] : undefined) ?? body['output_format'];
  if (!isObject(format)) return { type: 'text' };
  if (format['type'] === 'json_schema' && isObject(format['schema'])) {
    return { type: 'schema', schema: format['schema'] };
  }
  throw badRequest('output_config.format: there is no such format');
}
