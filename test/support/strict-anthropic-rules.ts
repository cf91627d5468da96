/** What the Messages API refuses of a request besides its messages. https://docs.anthropic.com/en/api/messages */
import { allow, checkMessages, refused } from './strict-anthropic-messages.ts';
import { isObject, type JsonObject, listOf } from './strict-server.ts';

/** What a model takes, by its name. */
export interface Traits {
  readonly sampling: boolean;
  readonly prefill: boolean;
  readonly systemAnywhere: boolean;
  readonly thinking: 'adaptive' | 'budget' | 'both';
  readonly alwaysThinks: boolean;
  readonly outputCap: number;
}

function traitsOf(model: string): Traits {
  const newest = /opus-4-7|opus-5|sonnet-5|fable-5/.test(model);
  return {
    sampling: !newest && !model.endsWith('-nosampling'),
    prefill: !newest && !model.endsWith('-noprefill'),
    systemAnywhere: /opus-5|sonnet-5|fable-5/.test(model),
    alwaysThinks: /fable-5/.test(model),
    outputCap: newest ? 128_000 : 64_000,
    thinking:
      newest || model.endsWith('-adaptive')
        ? 'adaptive'
        : /-budget$|haiku-4-5|opus-4-5/.test(model)
          ? 'budget'
          : 'both',
  };
}

const COUNTED_FIELDS = [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
];
const FIELDS = [
  ...COUNTED_FIELDS,
  ...['max_tokens', 'metadata', 'service_tier', 'stop_sequences', 'stream', 'temperature', 'top_k', 'top_p'],
];
const TOOL_FIELDS = ['name', 'description', 'input_schema', 'type', 'cache_control', 'strict'];

export function checkMessagesRequest(body: JsonObject, { counts, newest }: { counts: boolean; newest: boolean }): void {
  allow(body, counts ? COUNTED_FIELDS : FIELDS, '');
  const { model } = body;
  if (typeof model !== 'string') throw refused('model: Field required');
  const traits = traitsOf(model);
  if (!counts) checkCap(body, model, traits);
  checkSampling(body, traits, newest);
  const thinks = checkThinking(body, traits);
  checkTools(body, thinks);
  checkFormat(body);
  checkSystem(body['system']);
  if (body['metadata'] !== undefined && isObject(body['metadata'])) allow(body['metadata'], ['user_id'], 'metadata.');
  const stops = body['stop_sequences'];
  if (Array.isArray(stops) && stops.some((stop) => typeof stop !== 'string' || stop.trim() === '')) {
    throw refused('stop_sequences: each stop sequence must contain non-whitespace');
  }
  checkMessages(body['messages'], { ...traits, thinks });
  checkCacheMarks(body);
}

function checkCap(body: JsonObject, model: string, { outputCap }: Traits): void {
  const cap = body['max_tokens'];
  if (cap === undefined) throw refused('max_tokens: Field required');
  if (!Number.isInteger(cap) || Number(cap) < 0) throw refused('max_tokens: Input should be a valid integer');
  if (Number(cap) > outputCap) {
    throw refused(
      `max_tokens: ${cap} > ${outputCap}, which is the maximum allowed number of output tokens for ${model}`,
    );
  }
}

function checkSampling(body: JsonObject, { sampling }: Traits, newest: boolean): void {
  for (const name of ['temperature', 'top_p', 'top_k']) {
    if (body[name] === undefined) continue;
    if (!sampling || newest) throw refused(`\`${name}\` is deprecated for this model.`);
    if (typeof body[name] !== 'number') throw refused(`${name}: Input should be a valid number`);
  }
  if (Number(body['temperature'] ?? 0) > 1) throw refused('temperature: range: 0..1');
  if (body['temperature'] !== undefined && body['top_p'] !== undefined) {
    throw refused('`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
  }
}

function checkThinking(body: JsonObject, traits: Traits): boolean {
  const thinking = body['thinking'];
  const effort = isObject(body['output_config']) ? body['output_config']['effort'] : undefined;
  if (effort !== undefined) {
    if (!['low', 'medium', 'high', 'xhigh', 'max'].includes(String(effort))) throw refused('output_config.effort: bad');
    if (traits.thinking === 'budget') throw refused('This model does not support the effort parameter.');
  }
  if (thinking === undefined) return false;
  if (!isObject(thinking)) throw refused('thinking: Input should be an object');
  allow(thinking, ['type', 'budget_tokens', 'display'], 'thinking.');
  if (thinking['type'] === 'disabled') {
    if (traits.alwaysThinks) throw refused('"thinking.type.disabled" is not supported for this model.');
    return false;
  }
  if (thinking['type'] === 'adaptive') {
    if (traits.thinking === 'budget') throw refused('adaptive thinking is not supported on this model');
    if (thinking['budget_tokens'] !== undefined)
      throw refused('thinking.budget_tokens: Extra inputs are not permitted');
  } else if (thinking['type'] === 'enabled') {
    if (traits.thinking === 'adaptive') throw refused('"thinking.type.enabled" is not supported for this model.');
    const budget = Number(thinking['budget_tokens']);
    if (!(budget >= 1024))
      throw refused('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
    if (body['max_tokens'] !== undefined && budget >= Number(body['max_tokens'])) {
      throw refused('`max_tokens` must be greater than `thinking.budget_tokens`.');
    }
  } else throw refused("thinking: Input tag found using 'type' does not match any of the expected tags");
  if (body['temperature'] !== undefined && body['temperature'] !== 1) {
    throw refused('`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (body['top_k'] !== undefined) throw refused('`top_k` must be unset when thinking is enabled.');
  if (Number(body['top_p'] ?? 1) < 0.95) throw refused('`top_p` must be greater than or equal to 0.95 or unset.');
  return true;
}

function checkTools(body: JsonObject, thinks: boolean): void {
  const names = new Set<unknown>();
  listOf(body['tools']).forEach((tool, index) => {
    const at = `tools.${index}.custom`;
    allow(tool, TOOL_FIELDS, `${at}.`);
    const { name, input_schema: schema } = tool;
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      throw refused(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    }
    if (names.has(name)) throw refused('tools: Tool names must be unique.');
    names.add(name);
    if (!isObject(schema) || schema['type'] !== 'object') throw refused(`${at}.input_schema.type: Field required`);
    if (tool['strict'] === true) checkClosed(schema, `${at}.input_schema`);
    if (tool['description'] === '') throw refused(`${at}.description: String should have at least 1 character`);
  });
  const choice = body['tool_choice'];
  if (choice === undefined) return;
  if (names.size === 0) throw refused('tool_choice may only be specified while providing tools.');
  if (!isObject(choice)) throw refused('tool_choice: Input should be an object');
  allow(choice, ['type', 'name', 'disable_parallel_tool_use'], 'tool_choice.');
  if (!['auto', 'any', 'tool', 'none'].includes(String(choice['type']))) throw refused('tool_choice: unknown type');
  if (choice['type'] === 'none' && choice['disable_parallel_tool_use'] !== undefined) {
    throw refused('tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted');
  }
  if (choice['type'] === 'tool' && !names.has(choice['name'])) throw refused('tool_choice: no such tool');
  if (thinks && (choice['type'] === 'any' || choice['type'] === 'tool')) {
    throw refused('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

function checkFormat(body: JsonObject): void {
  const config = body['output_config'];
  if (config === undefined) return;
  if (!isObject(config)) throw refused('output_config: Input should be an object');
  allow(config, ['effort', 'format'], 'output_config.');
  const { format } = config;
  if (format === undefined || format === null) return;
  if (!isObject(format) || format['type'] !== 'json_schema') throw refused('output_config.format.type: bad');
  allow(format, ['type', 'schema'], 'output_config.format.');
  const schema = format['schema'];
  if (!isObject(schema) || schema['type'] !== 'object') throw refused('output_config.format.schema: root is no object');
  checkClosed(schema, 'output_config.format.schema');
}

function checkClosed(schema: unknown, at: string): void {
  if (!isObject(schema)) return;
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false) {
    throw refused(`${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
  }
  for (const keyword of ['minimum', 'maximum', 'minLength', 'maxLength', 'multipleOf']) {
    if (schema[keyword] !== undefined) {
      throw refused(`${at}: For '${String(schema['type'])}' type, property '${keyword}' is not supported`);
    }
  }
  if (isObject(schema['properties']))
    for (const property of Object.values(schema['properties'])) checkClosed(property, at);
  checkClosed(schema['items'], at);
}

function checkSystem(system: unknown): void {
  if (system === undefined || typeof system === 'string') return;
  if (!Array.isArray(system)) throw refused('system: Input should be a valid list');
  listOf(system).forEach((block, index) => {
    allow(block, ['type', 'text', 'cache_control', 'citations'], `system.${index}.`);
    if (block['type'] !== 'text') throw refused(`system.${index}.type: Input should be 'text'`);
    if (String(block['text']).trim() === '') throw refused('system: text content blocks must be non-empty');
  });
}

/** At most four, the longer ones first. https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
function checkCacheMarks(body: JsonObject): void {
  const marks: JsonObject[] = [];
  const gather = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(gather);
    if (!isObject(value)) return;
    if (isObject(value['cache_control'])) marks.push(value['cache_control']);
    if (Array.isArray(value['content'])) gather(value['content']);
  };
  [body['tools'], body['system'], body['messages']].forEach(gather);
  if (marks.length > 4) {
    throw refused(`A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`);
  }
  marks.forEach((mark, index) => {
    allow(mark, ['type', 'ttl'], 'cache_control.');
    if (mark['type'] !== 'ephemeral') throw refused("cache_control.type: Input should be 'ephemeral'");
    if (mark['ttl'] === '1h' && marks.slice(0, index).some((earlier) => earlier['ttl'] !== '1h')) {
      throw refused("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.");
    }
  });
}
