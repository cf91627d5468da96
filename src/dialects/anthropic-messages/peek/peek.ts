/**
 * What the call path must know of a Messages request before it is admitted, read from the places
 * the body scan found. Nothing here parses the conversation, so a body of 32 MiB costs no more
 * than one of 32 bytes.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import { GatewayError } from '../../../core/errors.ts';
import { arrayIsEmpty, type JsonDocument, type JsonField, readString } from '../../../wire/json-scan.ts';
import { internName } from '../../../wire/names.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { readSearchField } from '../../kit/peek/search-fields.ts';
import { isConversationField, refuseGovernedFields } from './governed-fields.ts';
import type { PeekedField } from './peeked-fields.ts';
import { readInlineMedia } from './read-inline-media.ts';
import { addUses, type ToolCosts, TYPED_TOOLS_BYTES_MAX, toolCosts, tooManyTools } from './server-tools.ts';

/** Throws `GatewayError` 400 for a request no provider could serve, and for refused governed fields. */
export function peek(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readModel(document);
  const outputCap = readOutputCap(document);
  requireMessages(document);
  const stream = readStream(document);
  refuseGovernedFields(document);
  const { uses: toolUses, named: namedTools } = costsOfTools(document);
  const searchField = readSearchField(document);
  const compacts = asksForCompaction(document);
  const media = readInlineMedia(document);
  return {
    model,
    stream,
    outputCap,
    choices: 1,
    hasTools: hasTools(document),
    namedTools,
    hasFormat: present(document, 'output_config') !== null || present(document, 'output_format') !== null,
    wantsUsage: true,
    promptUnbounded: !media.isBounded || toolUses !== 0 || searchField !== null || compacts,
    serverToolUses: toolUses,
    searchField,
    compacts,
    media,
    promptBytes: promptBytesOf(document, PROMPT_FIELDS, media),
    bodyBytes: document.bytes.length,
    values: document.values,
    growth: document.growth ?? normalisedGrowth(document.bytes),
    predictedTokens: 0,
    hasOpenRouterFields: false,
  };
}

export const PROMPT_FIELDS: readonly string[] = ['system', 'messages', 'tools'];
const MODEL_BYTES_MAX = 512;
/** No model writes this much; a larger number is a mistake, and would make the sums of a hold absurd. */
const OUTPUT_CAP_MAX = 2 ** 31;
/** Longer than any spelling of a number that passes. */
const NUMBER_BYTES_MAX = 32;

export function hasTools(document: JsonDocument): boolean {
  const tools = present(document, 'tools');
  return tools !== null && !(tools.type === 'array' && arrayIsEmpty(document, tools));
}

export function readModel(document: JsonDocument): string {
  const field = required(document, 'model');
  if (field.type !== 'string' || field.valueEnd - field.valueStart > MODEL_BYTES_MAX) {
    throw invalid('model', '"model" must be the name of a model.');
  }
  // The same few names come with every call.
  const known = internName(document.bytes, field.valueStart + 1, field.valueEnd - 1);
  const model = known ?? readString(document, field);
  if (model.trim() === '') throw invalid('model', '"model" must not be empty.');
  return model;
}

/** Zero is a real request: it warms the provider's prompt cache and asks for no answer. */
function readOutputCap(document: JsonDocument): number {
  const field = required(document, 'max_tokens');
  const short = field.valueEnd - field.valueStart <= NUMBER_BYTES_MAX;
  const value = field.type === 'number' && short ? Number(textOf(document, field)) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < 0 || value > OUTPUT_CAP_MAX) {
    throw invalid('max_tokens', `"max_tokens" must be a whole number from 0 to ${OUTPUT_CAP_MAX}.`);
  }
  // `-0` is a number too, and prints as one.
  return value === 0 ? 0 : value;
}

export function requireMessages(document: JsonDocument): void {
  const field = required(document, 'messages');
  if (field.type !== 'array') throw invalid('messages', '"messages" must be an array.');
  if (arrayIsEmpty(document, field)) throw invalid('messages', '"messages" must hold at least one message.');
}

function readStream(document: JsonDocument): boolean {
  const field = present(document, 'stream');
  if (field === null) return false;
  if (field.type !== 'true' && field.type !== 'false') throw invalid('stream', '"stream" must be true or false.');
  return field.type === 'true';
}

/** Of all tools, those defined inside a turn included. */
function costsOfTools(document: JsonDocument): ToolCosts {
  const tools = present(document, 'tools');
  let { uses, named } = tools === null ? NO_TOOLS : toolCosts(document, tools);
  let definitionBytes = 0;
  for (const field of document.watched) {
    if (!field.path.endsWith('.definition') || !isConversationField(field)) continue;
    // One definition may lie in another, so without a common limit a short body could mean long work.
    definitionBytes += field.valueEnd - field.valueStart;
    if (definitionBytes > TYPED_TOOLS_BYTES_MAX) throw tooManyTools();
    const costs = toolCosts(document, field);
    uses = addUses(uses, costs.uses);
    named += costs.named;
  }
  return { uses, named };
}

const NO_TOOLS: ToolCosts = { uses: 0, named: 0 };

const COMPACT = Buffer.from('compact');
const ESCAPE = Buffer.from('\\u');
/** A longer value is not searched: it counts as one that asks. */
const CONTEXT_MANAGEMENT_BYTES_MAX = 64 * 1024;

function asksForCompaction(document: JsonDocument): boolean {
  if (present(document, 'compaction') !== null) return true;
  const field = present(document, 'context_management');
  if (field === null) return false;
  const value = document.bytes.subarray(field.valueStart, field.valueEnd);
  return value.length > CONTEXT_MANAGEMENT_BYTES_MAX || value.includes(COMPACT) || value.includes(ESCAPE);
}

function required(document: JsonDocument, name: PeekedField): JsonField {
  const field = present(document, name);
  if (field === null) {
    throw new GatewayError('missing_field', { message: `The field "${name}" is required.`, param: name });
  }
  return field;
}

/** The field, or null where it is absent or `null`. */
function present(document: JsonDocument, name: PeekedField): JsonField | null {
  const field = document.fields.get(name);
  return field === undefined || field.type === 'null' ? null : field;
}

function textOf(document: JsonDocument, field: JsonField): string {
  return document.bytes.toString('utf8', field.valueStart, field.valueEnd);
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}
