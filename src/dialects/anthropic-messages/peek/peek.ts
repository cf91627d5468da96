/**
 * Reads what the gateway must know about a Messages request before it is admitted, from the fields that the body scan found. Nothing here
 * parses the conversation, so a body of 32 MiB costs no more than one of 32 bytes.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { readModel, requireMessages } from '../../kit/peek/required-fields.ts';
import { readPreferences } from '../../kit/peek/routing/read-preferences.ts';
import { readSearchField } from '../../kit/peek/search-fields.ts';
import { isConversationField } from './conversation-field.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { listOf, present, readCount, readFlag, required } from './peeked-fields.ts';
import { readInlineMedia } from './read-inline-media.ts';
import { addUses, type ToolCosts, TYPED_TOOLS_BYTES_MAX, toolCosts, tooManyTools } from './server-tools.ts';

/** Throws `GatewayError` 400 for a request no provider could serve, and for refused governed fields. */
export function peek(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readModel(document, NO_MODEL);
  const outputCap = readOutputCap(document);
  requireMessages(document);
  const stream = readFlag(document, 'stream');
  refuseGovernedFields(document);
  const { uses: toolUses, named: namedTools } = costsOfTools(document);
  const searchField = readSearchField(document);
  const compacts = asksForCompaction(document);
  const media = readInlineMedia(document);
  const preferences = readPreferences(document, model, PARAMETERS);
  return {
    model,
    stream,
    outputCap,
    choices: 1,
    hasTools: listOf(document, 'tools') !== null,
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
    needsTarget: false,
    ...(preferences !== null && { preferences }),
  };
}

/** The message for an invalid model. */
export const NO_MODEL = '"model" must be the name of a model.';
export const PROMPT_FIELDS: readonly string[] = ['system', 'messages', 'tools'];
/** OpenRouter's words for what the fields set: https://openrouter.ai/docs/api-reference/parameters */
export const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['temperature', 'temperature'],
  ['top_p', 'top_p'],
  ['top_k', 'top_k'],
  ['max_tokens', 'max_tokens'],
  ['stop_sequences', 'stop'],
  ['tools', 'tools'],
  ['tool_choice', 'tool_choice'],
  ['thinking', 'reasoning'],
]);
/** No model writes this much; a larger number is a mistake, and would make the hold absurd. */
const OUTPUT_CAP_MAX = 2 ** 31;

/** Zero is a valid request: it warms the provider's prompt cache and asks for no answer. */
function readOutputCap(document: JsonDocument): number {
  required(document, 'max_tokens');
  return readCount(document, 'max_tokens', OUTPUT_CAP_MAX) as number;
}

/** For all tools, including those defined inside a turn. */
function costsOfTools(document: JsonDocument): ToolCosts {
  const tools = present(document, 'tools');
  let { uses, named } = tools === null ? NO_TOOLS : toolCosts(document, tools);
  let definitionBytes = 0;
  for (const field of document.watched) {
    if (!field.path.endsWith('.definition') || !isConversationField(field)) continue;
    // Definitions may be nested, so without a common limit a short body could cause much work.
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
/** A longer value is not searched: it counts as one that asks for compaction. */
const CONTEXT_MANAGEMENT_BYTES_MAX = 64 * 1024;

function asksForCompaction(document: JsonDocument): boolean {
  if (present(document, 'compaction') !== null) return true;
  const field = present(document, 'context_management');
  if (field === null) return false;
  const value = document.bytes.subarray(field.valueStart, field.valueEnd);
  return value.length > CONTEXT_MANAGEMENT_BYTES_MAX || value.includes(COMPACT) || value.includes(ESCAPE);
}
