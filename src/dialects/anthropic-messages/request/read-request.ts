/**
 * Reads a Messages request into the neutral form. The peek came before: the model, the output cap and the governed fields are known to be
 * valid.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import type { ChatRequest, Json, JsonObject, OutputFormat, TextBlock } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { readDocumentExactly } from '../../../wire/exact-numbers.ts';
import type { Inbound } from '../../interface/inbound.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { ROUTING_FIELDS } from '../../kit/relay/routing-fields.ts';
import {
  isAbsent,
  isBlank,
  isEmpty,
  readCountOrNull,
  readFlagOrNull,
  readNumberOrNull,
  readTextOrNull,
  requireList,
  requireObject,
  requireText,
} from '../../kit/request/request-values.ts';
import { warnOfBlock } from './known-fields.ts';
import { markLast, readCacheMark } from './read-cache-mark.ts';
import { eachBlock, readTextBlock } from './read-content.ts';
import { readMessages } from './read-messages.ts';
import { readEffort, readReasoning } from './read-reasoning.ts';
import { readToolChoice, readTools } from './read-tools.ts';
import { quotable, warnOfUnknown as warnOfLeftOut } from './unknown-fields.ts';

/** Throws `GatewayError` 400 for what cannot be read, and for what only Anthropic can do and must not be lost. */
export function readRequest(inbound: Inbound): ChatRequest {
  const body = requireObject(readDocumentExactly(inbound.document) as Json, 'the body');
  const warnings = new Set<string>();
  refuseThread(body);
  warnOfUnknown(body, warnings);
  const conversation = readMessages(body['messages'], warnings);
  const system = [...readSystem(body['system'], warnings), ...conversation.leading];
  const mark = readCacheMark(body, '', warnings);
  const marked = mark === null ? { system, turns: conversation.turns } : markLast(system, conversation.turns, mark);
  const config = readOutputConfig(body, warnings);
  const effort = conversation.effort ?? readEffort(config['effort'], 'output_config.effort', warnings);
  const tools = readTools(body['tools'], conversation.toolChanges, warnings);
  return {
    system: marked.system,
    turns: marked.turns,
    tools,
    ...readToolChoice(body['tool_choice'], tools, warnings),
    outputCap: readOutputCap(body),
    stop: readStop(body['stop_sequences'], warnings),
    temperature: readNumberOrNull(body['temperature'], 'temperature'),
    topP: readNumberOrNull(body['top_p'], 'top_p'),
    topK: readCountOrNull(body['top_k'], 'top_k'),
    frequencyPenalty: null,
    presencePenalty: null,
    seed: null,
    reasoning: readReasoning(body['thinking'], effort, warnings),
    format: readFormat(formatOf(config, body, warnings), warnings),
    verbosity: null,
    user: readUser(body['metadata'], warnings),
    stream: readFlagOrNull(body['stream'], 'stream') ?? false,
    warnings: [...warnings],
  };
}

/** Half a conversation would be answered as if it were all; on this code the SDK's tool runner sends the whole conversation. */
function refuseThread(body: JsonObject): void {
  if (isAbsent(body['thread'])) return;
  throw new GatewayError('unsupported_value', {
    message: 'Stored conversations are not kept here; send all messages.',
    param: 'thread',
    facts: { error_code: 'thread_unsupported_request' },
  });
}

const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'cache_control',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'stream',
  'metadata',
  'thinking',
  'output_config',
  'output_format',
  'tools',
  'tool_choice',
  ...ROUTING_FIELDS,
]);

function warnOfUnknown(body: JsonObject, warnings: Set<string>): void {
  for (const name of Object.keys(body)) {
    if (KNOWN.has(name) || isEmpty(body[name])) continue;
    warnings.add(`${quotable(name)} is not supported by this provider and was left out`);
  }
}

/** Claude Code's line about billing for Anthropic; it means nothing to a model, and changes with every version. */
const ATTRIBUTION = 'x-anthropic-billing-header:';

function readSystem(value: Json | undefined, warnings: Set<string>): TextBlock[] {
  const blocks: TextBlock[] = [];
  if (isAbsent(value)) return blocks;
  eachBlock(value, 'system', (block, at) => {
    warnOfBlock(block, 'system[].', warnings);
    for (const read of readTextBlock(block, at, warnings)) {
      if (!read.text.startsWith(ATTRIBUTION) || read.text.trim().includes('\n')) blocks.push(read);
      else warnings.add('the billing line in system was left out');
    }
  });
  return blocks;
}

/** Zero only warms the provider's prompt cache, which no other format can express. */
function readOutputCap(body: JsonObject): number | null {
  const cap = readCountOrNull(body['max_tokens'], 'max_tokens');
  if (cap === 0) throw unsupported('max_tokens', 'This model cannot be asked for no answer at all.');
  return cap;
}

function readStop(value: Json | undefined, warnings: Set<string>): readonly string[] {
  if (isAbsent(value)) return [];
  const stop = requireList(value, 'stop_sequences').map((entry, index) =>
    requireText(entry, `stop_sequences[${index}]`),
  );
  const sequences = stop.filter((text) => text !== '');
  if (sequences.length < stop.length) warnings.add('empty stop sequences were left out');
  return sequences;
}

function readOutputConfig(body: JsonObject, warnings: Set<string>): JsonObject {
  const value = body['output_config'];
  if (isAbsent(value)) return {};
  const config = requireObject(value, 'output_config');
  for (const name of Object.keys(config)) {
    if (name === 'effort' || name === 'format' || isEmpty(config[name])) continue;
    warnings.add(`output_config.${quotable(name)} is not supported by this provider and was left out`);
  }
  return config;
}

/** `output_format` is the older name. */
function formatOf({ format }: JsonObject, body: JsonObject, warnings: Set<string>): Json | undefined {
  if (isAbsent(format)) return body['output_format'];
  if (!isAbsent(body['output_format']))
    warnings.add('output_format was left out: output_config.format is used instead');
  return format;
}

const KNOWN_IN_FORMAT: ReadonlySet<string> = new Set(['type', 'schema']);

/** Anthropic always enforces the schema. */
function readFormat(value: Json | undefined, warnings: Set<string>): OutputFormat | null {
  if (isAbsent(value)) return null;
  const format = requireObject(value, 'output_config.format');
  warnOfLeftOut(format, KNOWN_IN_FORMAT, 'output_config.format.', warnings);
  if (format['type'] !== 'json_schema') {
    throw invalid('output_config.format.type', '"output_config.format.type" must be "json_schema".');
  }
  const schema = requireObject(format['schema'], 'output_config.format.schema');
  return { type: 'json_schema', name: null, description: null, schema, strict: true };
}

function readUser(value: Json | undefined, warnings: Set<string>): string | null {
  if (isAbsent(value)) return null;
  const metadata = requireObject(value, 'metadata');
  if (Object.keys(metadata).some((name) => name !== 'user_id' && !isEmpty(metadata[name]))) {
    warnings.add('metadata supports only user_id; the rest was left out');
  }
  const user = readTextOrNull(metadata['user_id'], 'metadata.user_id');
  return user === null || isBlank(user) ? null : user;
}
