/** What Converse refuses of a request other than its messages. */
import { allow, checkMessages, refused } from './strict-bedrock-messages.ts';
import { isObject, type JsonObject, listOf } from './strict-server.ts';

/** What a model takes, by its name. */
export interface Traits {
  readonly family: 'claude' | 'nova' | 'other';
  readonly thinking: 'none' | 'budget' | 'adaptive';
  readonly sampling: boolean;
  readonly prefill: boolean;
  readonly cachePoints: boolean;
  readonly schema: boolean;
  readonly outputCap: number;
}

export function traitsOf(model: string): Traits {
  const family = model.includes('anthropic.claude') ? 'claude' : model.includes('amazon.nova') ? 'nova' : 'other';
  const newest = /opus-4-7|opus-5|sonnet-5|fable-5/.test(model);
  const recent = newest || /-4-6/.test(model);
  return {
    family,
    thinking: recent ? 'adaptive' : family === 'claude' ? 'budget' : 'none',
    sampling: !newest,
    prefill: !recent && family !== 'other',
    cachePoints: family !== 'other',
    schema: family === 'claude',
    outputCap: 64_000,
  };
}

const FIELDS = [
  ...['messages', 'system', 'inferenceConfig', 'toolConfig', 'additionalModelRequestFields', 'outputConfig'],
  'additionalModelResponseFieldPaths',
];
const MODEL_FIELDS: Readonly<Record<Traits['family'], readonly string[]>> = {
  claude: ['thinking', 'top_k', 'tool_choice'],
  nova: ['inferenceConfig', 'reasoningConfig'],
  other: ['reasoning_effort'],
};

export function checkConverseRequest(body: JsonObject, traits: Traits): void {
  allow(body, FIELDS, '');
  const fields = isObject(body['additionalModelRequestFields']) ? body['additionalModelRequestFields'] : {};
  allow(fields, MODEL_FIELDS[traits.family], 'additionalModelRequestFields.');
  const config = isObject(body['inferenceConfig']) ? body['inferenceConfig'] : {};
  const thinks = checkThinking(fields['thinking'], config, traits);
  checkInference(config, traits, thinks);
  const system = listOf(body['system']);
  if (body['system'] !== undefined && system.length === 0) throw refused('system: must not be empty');
  for (const [index, block] of system.entries()) {
    allow(block, ['text', 'cachePoint'], `system.${index}.`);
    if ('text' in block && String(block['text']).trim() === '')
      throw refused('The text field in the SystemContentBlock object is blank.');
  }
  const names = checkTools(body['toolConfig'], thinks);
  checkFormat(body['outputConfig'], traits);
  checkMessages(body['messages'], { ...traits, thinks, hasTools: names !== null });
  checkCachePoints(body, traits);
}

function checkThinking(thinking: unknown, config: JsonObject, traits: Traits): boolean {
  if (!isObject(thinking) || thinking['type'] === 'disabled') return false;
  if (thinking['type'] === 'adaptive') {
    if (traits.thinking !== 'adaptive') throw refused('adaptive thinking is not supported on this model');
    return true;
  }
  const budget = Number(thinking['budget_tokens']);
  if (traits.thinking !== 'budget') throw refused('thinking.type: Input should be adaptive or disabled');
  if (!(budget >= 1024)) throw refused('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (budget >= Number(config['maxTokens']))
    throw refused('`max_tokens` must be greater than `thinking.budget_tokens`.');
  return true;
}

function checkInference(config: JsonObject, traits: Traits, thinks: boolean): void {
  allow(config, ['maxTokens', 'temperature', 'topP', 'stopSequences'], 'inferenceConfig.');
  const { maxTokens, temperature, topP, stopSequences } = config;
  if (!Number.isInteger(maxTokens) || Number(maxTokens) < 1 || Number(maxTokens) > traits.outputCap)
    throw refused(`The maximum tokens you requested exceeds the model limit of ${traits.outputCap}.`);
  for (const [name, value] of Object.entries({ temperature, topP })) {
    if (value === undefined) continue;
    if (!(Number(value) >= 0 && Number(value) <= 1)) throw refused(`${name} must be between 0 and 1`);
    if (!traits.sampling || (thinks && value !== 1)) throw refused(`${name}: not supported`);
  }
  if (Array.isArray(stopSequences) && stopSequences.some((stop) => String(stop).trim() === ''))
    throw refused('stopSequences: each stop sequence must contain non-whitespace');
}

/** The names; null without tools. */
function checkTools(config: unknown, thinks: boolean): readonly string[] | null {
  if (config === undefined) return null;
  if (!isObject(config)) throw refused('toolConfig: must be an object');
  allow(config, ['tools', 'toolChoice'], 'toolConfig.');
  const specs = listOf(config['tools'])
    .filter((tool) => !('cachePoint' in tool))
    .map((tool) => tool['toolSpec']);
  if (specs.length === 0) throw refused('toolConfig.tools must have at least 1 item');
  const names = specs.map((spec) => {
    if (!isObject(spec)) throw refused('toolConfig.tools: each must be a toolSpec or a cachePoint');
    allow(spec, ['name', 'description', 'inputSchema', 'strict'], 'toolSpec.');
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(spec['name']))) throw refused('toolSpec.name: must match [a-zA-Z0-9_-]+');
    if (spec['description'] === '') throw refused('toolSpec.description: minimum length 1');
    const schema = isObject(spec['inputSchema']) ? spec['inputSchema']['json'] : null;
    if (!isObject(schema) || schema['type'] !== 'object') throw refused('inputSchema.json.type must be object');
    if (['oneOf', 'anyOf', 'allOf'].some((name) => name in schema))
      throw refused('input_schema does not support oneOf, allOf, or anyOf at the top level');
    return String(spec['name']);
  });
  if (new Set(names).size < names.length) throw refused('Tool names must be unique.');
  const choice = config['toolChoice'];
  if (choice === undefined) return names;
  if (!isObject(choice) || Object.keys(choice).length !== 1) throw refused('toolChoice: one of auto, any, tool');
  allow(choice, ['auto', 'any', 'tool'], 'toolChoice.');
  if (thinks && !('auto' in choice)) throw refused('Thinking may not be enabled when tool_choice forces tool use.');
  if (isObject(choice['tool']) && !names.includes(String(choice['tool']['name'])))
    throw refused('toolChoice.tool: no such tool');
  return names;
}

function checkFormat(output: unknown, traits: Traits): void {
  if (!isObject(output)) return;
  allow(output, ['textFormat', 'effort'], 'outputConfig.');
  if (output['effort'] !== undefined && traits.thinking !== 'adaptive') throw refused('effort is not supported');
  const format = output['textFormat'];
  if (format === undefined) return;
  if (!traits.schema) throw refused("This model doesn't support the outputConfig.textFormat field.");
  const structure = isObject(format) && format['type'] === 'json_schema' ? format['structure'] : null;
  const definition = isObject(structure) ? structure['jsonSchema'] : null;
  if (!isObject(definition) || typeof definition['schema'] !== 'string') throw refused('jsonSchema.schema: a string');
  checkClosed(JSON.parse(definition['schema']));
}

function checkClosed(schema: unknown): void {
  if (!isObject(schema)) return;
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false)
    throw refused("For 'object' type, 'additionalProperties' must be explicitly set to false");
  for (const value of Object.values(schema)) checkClosed(value);
}

/** At most four, in all places together. */
function checkCachePoints(body: JsonObject, traits: Traits): void {
  const tools = isObject(body['toolConfig']) ? listOf(body['toolConfig']['tools']) : [];
  const contents = listOf(body['messages']).map((message) => listOf(message['content']));
  const lists = [tools, listOf(body['system']), ...contents];
  const points = lists.flat().filter((block) => 'cachePoint' in block);
  if (points.length === 0) return;
  if (!traits.cachePoints) throw refused('You invoked an unsupported model with cachePoint.');
  if (points.length > 4) throw refused('A maximum of 4 blocks with cachePoint may be provided.');
  if (traits.family === 'nova' && tools.some((tool) => 'cachePoint' in tool))
    throw refused('cachePoint is not supported in tools for this model');
  for (const list of lists)
    for (const [index, block] of list.entries()) {
      if (!('cachePoint' in block)) continue;
      const point = isObject(block['cachePoint']) ? block['cachePoint'] : {};
      if (point['type'] !== 'default' || !['1h', '5m', undefined].includes(point['ttl'] as string | undefined))
        throw refused('cachePoint: type must be default');
      const before = list[index - 1] ?? {};
      if (index === 0 || 'document' in before || 'cachePoint' in before)
        throw refused('cachePoint must follow content, and not a document');
    }
}
