/** What generateContent refuses of a request besides its conversation. https://ai.google.dev/api/generate-content */
import { allow, refused } from './strict-gemini-contents.ts';
import { isObject, type JsonObject, listOf } from './strict-server.ts';

const FIELDS = [
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'safetySettings', 'generationConfig'],
  ...['cachedContent', 'serviceTier', 'store'],
];
const CONFIG = [
  ...['maxOutputTokens', 'temperature', 'topP', 'topK', 'stopSequences', 'candidateCount', 'seed', 'presencePenalty'],
  ...['frequencyPenalty', 'responseMimeType', 'responseSchema', 'responseJsonSchema', 'responseModalities'],
  ...['responseLogprobs', 'logprobs', 'thinkingConfig', 'mediaResolution', 'speechConfig', 'imageConfig'],
];
const TOOLS = [
  ...['functionDeclarations', 'googleSearch', 'codeExecution', 'urlContext', 'googleSearchRetrieval', 'computerUse'],
];
const DECLARATION = [
  ...['name', 'description', 'parameters', 'parametersJsonSchema', 'response', 'responseJsonSchema', 'behavior'],
];
const SCHEMA = [
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'properties', 'required'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'anyOf', 'propertyOrdering'],
  ...['default', 'items', 'minimum', 'maximum'],
];
const TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];
const FORMATS = ['float', 'double', 'int32', 'int64', 'enum', 'date-time'];
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const LEVELS = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'];
const STOPS_MAX = 5;

export function checkGenerateRequest(body: JsonObject, model: string): void {
  allow(body, FIELDS, 'request');
  const system = body['systemInstruction'];
  if (system !== undefined && (!isObject(system) || listOf(system['parts']).length === 0))
    throw refused("Invalid value at 'system_instruction'");
  const names = checkTools(body['tools']);
  checkToolConfig(body['toolConfig'], names);
  const config = body['generationConfig'];
  if (config !== undefined) checkConfig(config, model);
}

function checkTools(tools: unknown): readonly string[] {
  if (tools === undefined) return [];
  const declared = listOf(tools).flatMap((tool, index) => {
    allow(tool, TOOLS, `tools[${index}]`);
    return listOf(tool['functionDeclarations']);
  });
  return declared.map((one, index) => {
    const at = `tools[0].function_declarations[${index}]`;
    allow(one, DECLARATION, at);
    if (!NAME.test(String(one['name']))) throw refused(`Invalid function name at '${at}.name'.`);
    if (one['parameters'] !== undefined && one['parametersJsonSchema'] !== undefined)
      throw refused(`'${at}': parameters and parameters_json_schema cannot both be set.`);
    if (one['parameters'] !== undefined) checkSchema(one['parameters'], `${at}.parameters`);
    const json = one['parametersJsonSchema'];
    if (json !== undefined && (!isObject(json) || json['type'] !== 'object'))
      throw refused(`'${at}.parameters_json_schema' must be an object schema.`);
    return String(one['name']);
  });
}

/** The part of OpenAPI's schema that `parameters` and `responseSchema` are: https://ai.google.dev/api/caching#Schema */
function checkSchema(schema: unknown, at: string): void {
  if (!isObject(schema)) throw refused(`Invalid value at '${at}'`);
  allow(schema, SCHEMA, at);
  const type = String(schema['type'] ?? '').toUpperCase();
  if (schema['anyOf'] === undefined && !TYPES.includes(type)) throw refused(`Invalid value at '${at}.type' (Type)`);
  const { format } = schema;
  if (format !== undefined && !FORMATS.includes(String(format)))
    throw refused(`'${at}.format': only ${FORMATS.join(', ')} are supported.`);
  if (Array.isArray(schema['enum']) && schema['enum'].some((value) => typeof value !== 'string'))
    throw refused(`Invalid value at '${at}.enum' (TYPE_STRING)`);
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, value] of Object.entries(properties)) checkSchema(value, `${at}.properties['${name}']`);
  for (const name of Array.isArray(schema['required']) ? schema['required'] : [])
    if (!Object.hasOwn(properties, String(name))) throw refused(`'${at}.required': property is not defined: ${name}`);
  if (schema['items'] !== undefined) checkSchema(schema['items'], `${at}.items`);
  for (const one of listOf(schema['anyOf'])) checkSchema(one, `${at}.any_of`);
}

function checkToolConfig(toolConfig: unknown, names: readonly string[]): void {
  if (toolConfig === undefined) return;
  if (!isObject(toolConfig)) throw refused("Invalid value at 'tool_config'");
  allow(toolConfig, ['functionCallingConfig', 'retrievalConfig', 'includeServerSideToolInvocations'], 'tool_config');
  const calling = toolConfig['functionCallingConfig'];
  if (!isObject(calling)) return;
  const { mode, allowedFunctionNames: allowed } = calling;
  allow(
    calling,
    ['mode', 'allowedFunctionNames', 'streamFunctionCallArguments'],
    'tool_config.function_calling_config',
  );
  if (!['AUTO', 'ANY', 'NONE', 'VALIDATED'].includes(String(mode)))
    throw refused("Invalid value at 'tool_config.function_calling_config.mode'");
  if (names.length === 0 && mode !== 'NONE')
    throw refused('Function calling config is set without function_declarations.');
  if (allowed === undefined) return;
  if (mode !== 'ANY' && mode !== 'VALIDATED')
    throw refused('Function calling config: allowed_function_names can only be set with mode ANY or VALIDATED.');
  for (const name of Array.isArray(allowed) ? allowed : [])
    if (!names.includes(String(name))) throw refused(`allowed_function_names: ${String(name)} is not declared.`);
}

function checkConfig(config: unknown, model: string): void {
  if (!isObject(config)) throw refused("Invalid value at 'generation_config'");
  allow(config, CONFIG, 'generation_config');
  const { maxOutputTokens: cap, stopSequences: stops, thinkingConfig: thinking } = config;
  if (cap !== undefined && (!Number.isInteger(cap) || Number(cap) < 1))
    throw refused('Unable to submit request because max_output_tokens is out of range.');
  if (Array.isArray(stops) && stops.length > STOPS_MAX)
    throw refused(`The number of stop_sequences is above ${STOPS_MAX}.`);
  for (const [name, low, high] of [
    ['temperature', 0, 2],
    ['topP', 0, 1],
  ] as const) {
    const value = config[name];
    if (value !== undefined && (typeof value !== 'number' || value < low || value > high))
      throw refused(`* GenerateContentRequest.generation_config.${name}: must be between ${low} and ${high}`);
  }
  const { responseSchema, responseJsonSchema, responseMimeType } = config;
  if (responseSchema !== undefined && responseJsonSchema !== undefined)
    throw refused('response_schema and response_json_schema cannot both be set.');
  if ((responseSchema ?? responseJsonSchema) !== undefined && responseMimeType !== 'application/json')
    throw refused('response_mime_type must be application/json when a response schema is set.');
  if (responseSchema !== undefined) checkSchema(responseSchema, 'generation_config.response_schema');
  if (thinking !== undefined) checkThinking(thinking, model);
}

/** https://ai.google.dev/gemini-api/docs/thinking: a level for the third generation, a budget for the second, never both. */
function checkThinking(thinking: unknown, model: string): void {
  if (!isObject(thinking)) throw refused("Invalid value at 'generation_config.thinking_config'");
  allow(thinking, ['includeThoughts', 'thinkingBudget', 'thinkingLevel'], 'generation_config.thinking_config');
  const { thinkingBudget: budget, thinkingLevel: level } = thinking;
  if (budget !== undefined && level !== undefined)
    throw refused('You can only set only one of thinking budget and thinking level.');
  if (level === undefined) return;
  if (!model.startsWith('gemini-3')) throw refused('Thinking level is not supported for this model.');
  if (!LEVELS.includes(String(level).toUpperCase())) throw refused('Invalid thinking level.');
}
