/**
 * Reads a chat completions request into the neutral form, with OpenRouter's additions to the format. Fails closed if a field changes what
 * is answered and cannot be expressed elsewhere; optional settings are left out with a warning.
 *
 * https://platform.openai.com/docs/api-reference/chat/create, https://openrouter.ai/docs/api-reference/parameters
 */
import type { ChatRequest, JsonObject, OutputFormat, Turn } from '../../../chat/request.ts';
import { listWarnings } from '../../../chat/warnings.ts';
import type { GatewayError } from '../../../core/errors.ts';
import { asArray } from '../../../core/json-object.ts';
import { readDocumentExactly } from '../../../wire/exact-numbers.ts';
import type { Inbound } from '../../interface/inbound.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { ROUTING_FIELDS } from '../../kit/relay/routing-fields.ts';
import { customNamesOf } from '../../kit/request/custom-tools.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import {
  isAbsent,
  readFlagOrNull,
  readListOrEmpty,
  readName,
  readNumberWithin,
  readObject,
  readObjectOrEmpty,
  readText,
  readTextOrNull,
  readWholeOrNull,
  readWordOrNull,
} from '../../kit/request/request-values.ts';
import { OPENROUTER_FIELDS, wishesNotFollowed } from '../peek/openrouter-fields.ts';
import { peek } from '../peek/peek.ts';
import { markLast, readCacheMark } from './read-cache-mark.ts';
import { readMessages } from './read-messages.ts';
import { readReasoning } from './read-reasoning.ts';
import { readTools } from './read-tools.ts';
import { warnOfUnknown } from './unknown-fields.ts';

/** Throws `GatewayError` 400 for what cannot be read, and for what other formats cannot express and must not be lost silently. */
export function readRequest(inbound: Inbound): ChatRequest {
  const { stream, outputCap, choices } = peek(inbound);
  const body = readDocumentExactly(inbound.document) as JsonObject;
  refuseWhatIsLost(body, choices);
  const warnings = new Set<string>();
  warnOfUnknown(body, KNOWN_FIELDS, '', warnings);
  warnOfUnknown(
    readObjectOrEmpty(body['stream_options'], 'stream_options'),
    KNOWN_IN_STREAM_OPTIONS,
    'stream_options.',
    warnings,
  );
  warnOfUnknown(readObjectOrEmpty(body['usage'], 'usage'), KNOWN_IN_USAGE, 'usage.', warnings);
  readObjectOrEmpty(body['metadata'], 'metadata');
  for (const name of OPENROUTER_FIELDS) for (const wish of wishesNotFollowed(name, body[name])) warnings.add(wish);
  const { system, turns } = readMessages(body['messages'], warnings);
  const { tools, toolChoice } = readTools(body, warnings);
  // A client that sends both knows the current form.
  const oldFunctions =
    readListOrEmpty(body['tools'], 'tools').length === 0 && readListOrEmpty(body['functions'], 'functions').length > 0;
  const topK = readWholeOrNull(body['top_k'], 'top_k');
  return {
    system,
    turns: markEnd(turns, body, warnings),
    tools,
    toolChoice,
    // An answer in the deprecated form can have only one call.
    parallelTools: oldFunctions ? false : readFlagOrNull(body['parallel_tool_calls'], 'parallel_tool_calls'),
    outputCap,
    stop: readStop(body['stop'], warnings),
    temperature: readNumberWithin(body['temperature'], 'temperature', 0, 2),
    topP: readNumberWithin(body['top_p'], 'top_p', 0, 1),
    // For servers zero or less means "off".
    topK: topK !== null && topK > 0 ? topK : null,
    frequencyPenalty: readNumberWithin(body['frequency_penalty'], 'frequency_penalty', -2, 2),
    presencePenalty: readNumberWithin(body['presence_penalty'], 'presence_penalty', -2, 2),
    seed: readWholeOrNull(body['seed'], 'seed'),
    reasoning: readReasoning(body, warnings),
    format: readFormat(body['response_format'], warnings),
    verbosity: readWordOrNull(body['verbosity'], 'verbosity', ['low', 'medium', 'high']),
    user: readUser(body, warnings),
    stream,
    ...(oldFunctions && { oldFunctions }),
    ...(tools.some(({ custom }) => custom !== undefined) && { forAnswer: customNamesOf(tools) }),
    warnings: listWarnings(warnings),
  };
}

/** Fields that are read, and fields without effect here: how usage is reported, which provider serves, and defaults of other fields. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'n', 'usage'],
  ...['tools', 'tool_choice', 'functions', 'function_call', 'parallel_tool_calls', 'stop', 'temperature', 'top_p'],
  ...['top_k', 'frequency_penalty', 'presence_penalty', 'seed', 'response_format', 'verbosity', 'user'],
  ...['safety_identifier', 'reasoning', 'reasoning_effort', 'include_reasoning', 'cache_control'],
  ...['service_tier', 'modalities', 'store', 'speed', 'audio', 'web_search_options', 'moderation'],
  ...ROUTING_FIELDS,
  ...['transforms', 'plugins', 'thinking', 'metadata'],
]);

const KNOWN_IN_STREAM_OPTIONS: ReadonlySet<string> = new Set(['include_usage']);
const KNOWN_IN_USAGE: ReadonlySet<string> = new Set(['include']);

function refuseWhatIsLost(body: JsonObject, choices: number): void {
  if (choices > 1) throw cannotPass('n', 'gives one answer at a time');
  const { modalities } = body;
  if (modalities === 'audio' || asArray(modalities).includes('audio'))
    throw cannotPass('modalities', 'answers in text');
  if (!isAbsent(body['web_search_options'])) throw cannotPass('web_search_options', 'does not search the web');
  if (!isAbsent(body['moderation'])) throw cannotPass('moderation', 'does not moderate');
}

function cannotPass(param: string, why: string): GatewayError {
  return unsupported(
    param,
    `"${param}" cannot be passed on: the provider of this model is spoken to in another format and ${why}.`,
  );
}

/** A mark on the whole request moves to the last block that can have one. */
function markEnd(turns: readonly Turn[], body: JsonObject, warnings: Set<string>): readonly Turn[] {
  const cache = readCacheMark({ cache_control: body['cache_control'] }, '', warnings);
  const last = turns.at(-1);
  if (cache === null || last === undefined) return turns;
  const blocks = [...last.blocks];
  markLast(blocks, cache);
  return [...turns.slice(0, -1), { ...last, blocks } as Turn];
}

/** `safety_identifier` is a newer name for `user`, and other formats have only one: if both are sent, `user` counts. */
function readUser(body: JsonObject, warnings: Set<string>): string | null {
  const user = readTextOrNull(body['user'], 'user') || null;
  const identifier = readTextOrNull(body['safety_identifier'], 'safety_identifier') || null;
  if (user !== null && identifier !== null && identifier !== user) {
    warnings.add('safety_identifier was left out: user is passed on, and this provider takes one name of a user');
  }
  return user ?? identifier;
}

function readStop(value: unknown, warnings: Set<string>): readonly string[] {
  if (isAbsent(value)) return [];
  if (typeof value !== 'string' && !Array.isArray(value)) throw invalid('stop', '"stop" must be a string or an array.');
  const list = typeof value === 'string' ? [value] : (value as readonly unknown[]);
  const stops = list.map((stop, index) => readText(stop, `stop[${index}]`)).filter((stop) => stop !== '');
  if (stops.length < list.length) warnings.add('empty stop sequences were left out');
  return stops;
}

const KNOWN_IN_FORMAT = fieldsByType(['type'], { json_schema: ['json_schema'] });
const KNOWN_IN_SCHEMA: ReadonlySet<string> = new Set(['name', 'description', 'schema', 'strict']);

function readFormat(value: unknown, warnings: Set<string>): OutputFormat | null {
  if (isAbsent(value)) return null;
  const format = readObject(value, 'response_format');
  warnOfUnknown(format, KNOWN_IN_FORMAT.of(format['type']), 'response_format.', warnings);
  switch (readName(format['type'], 'response_format.type')) {
    case 'text':
      return null;
    case 'json_object':
      return { type: 'json_object' };
    case 'json_schema':
      return readJsonSchema(readObject(format['json_schema'], 'response_format.json_schema'), warnings);
    default:
      throw unsupported('response_format.type', '"response_format.type" must be text, json_object or json_schema.');
  }
}

function readJsonSchema(wanted: JsonObject, warnings: Set<string>): OutputFormat {
  const path = 'response_format.json_schema';
  warnOfUnknown(wanted, KNOWN_IN_SCHEMA, `${path}.`, warnings);
  const { schema } = wanted;
  return {
    type: 'json_schema',
    name: readTextOrNull(wanted['name'], `${path}.name`) || null,
    description: readTextOrNull(wanted['description'], `${path}.description`) || null,
    schema: isAbsent(schema) ? { type: 'object' } : readObject(schema, `${path}.schema`),
    strict: readFlagOrNull(wanted['strict'], `${path}.strict`),
  };
}
