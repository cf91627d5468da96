/**
 * Reads what the gateway must know about a request before it is admitted, from the fields that the body scan found. Nothing here parses the
 * conversation, so a body of 32 MiB costs little more than one of 32 bytes.
 *
 * https://platform.openai.com/docs/api-reference/responses/create
 */
import type { ServerTool } from '../../../core/server-tools.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { arrayIsEmpty } from '../../../wire/json-read.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { readModel } from '../../kit/peek/required-fields.ts';
import { readPreferences } from '../../kit/peek/routing/read-preferences.ts';
import { readSearchField } from '../../kit/peek/search-fields.ts';
import { mayTriggerCompaction } from './compaction-trigger.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { listOf, present, readFlag, readWholeNumber, required } from './peeked-fields.ts';
import { readInlineMedia } from './read-inline-media.ts';
import {
  addCosts,
  choosesServerTool,
  NO_COSTS,
  PARSED_BYTES_MAX,
  type ToolCosts,
  toolCosts,
  tooManyTools,
} from './server-tools.ts';
import { readReferences } from './stored-references.ts';

/** Throws `GatewayError` 400 for a request no provider could serve, and for refused governed fields. */
export function peek(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readModel(document, NO_MODEL);
  requireInput(document);
  const stream = readFlag(document, 'stream');
  const outputCap = readWholeNumber(document, 'max_output_tokens', OUTPUT_CAP_MAX);
  refuseGovernedFields(document);
  const { hasTools, costs } = costsOfTools(document);
  const choice = present(document, 'tool_choice');
  const isChosen = choice !== null && choosesServerTool(document, choice);
  const serverTools: readonly ServerTool[] = isChosen && costs.runs.length === 0 ? ['other'] : costs.runs;
  const runsTools = serverTools.length > 0;
  const searchField = readSearchField(document);
  const compacts = listOf(document, 'context_management') !== null || mayTriggerCompaction(document);
  const media = readInlineMedia(document);
  const stored = readReferences(document);
  const preferences = readPreferences(document, model, PARAMETERS);
  return {
    model,
    stream,
    outputCap,
    choices: 1,
    hasTools,
    namedTools: costs.named,
    hasFormat: present(document, 'text') !== null,
    wantsUsage: true,
    promptUnbounded: readsBeyondBody({ media, searchField, compacts, stored }, runsTools),
    serverToolUses: runsTools ? (readWholeNumber(document, 'max_tool_calls', USES_MAX) ?? 'unbounded') : 0,
    translatedToolUses: 0,
    ...(runsTools && { serverTools, limitsToolsTogether: true }),
    ...(stored.length > 0 && { stored }),
    storesAnswer: present(document, 'store')?.type !== 'false',
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

export const NO_MODEL = '"model" must be the name of a model, as a string.';
export const PROMPT_FIELDS: readonly string[] = ['instructions', 'input', 'tools'];
/** OpenRouter's words for what the fields set: https://openrouter.ai/docs/api-reference/parameters */
export const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['temperature', 'temperature'],
  ['top_p', 'top_p'],
  ['top_logprobs', 'top_logprobs'],
  ['max_output_tokens', 'max_tokens'],
  ['tools', 'tools'],
  ['tool_choice', 'tool_choice'],
  ['parallel_tool_calls', 'parallel_tool_calls'],
  ['reasoning', 'reasoning'],
]);
/** No model writes this much; a larger number is a mistake, and would make the hold absurd. */
const OUTPUT_CAP_MAX = 2 ** 31 - 1;
/** https://platform.openai.com/docs/api-reference/responses/create#responses-create-max_tool_calls limits them together. */
const USES_MAX = 1_000_000;

/** Whether the provider may read more than the body has. `runsTools`: whether it runs tools, whose results are read. */
export function readsBeyondBody(
  { media, searchField, compacts, stored = [] }: Pick<Peek, 'media' | 'searchField' | 'compacts' | 'stored'>,
  runsTools: boolean,
): boolean {
  return !media.isBounded || runsTools || searchField !== null || compacts || stored.length > 0;
}

/** Throws a `GatewayError` 400 if there is none. */
export function requireInput(document: JsonDocument): void {
  const field = required(document, 'input');
  if (field.type === 'string') return;
  if (field.type !== 'array') throw invalid('input', '"input" must be a string or an array.');
  if (arrayIsEmpty(document, field)) throw invalid('input', '"input" must contain at least one item.');
}

/** For all tools, including those that items add. */
export function costsOfTools(document: JsonDocument): { readonly hasTools: boolean; readonly costs: ToolCosts } {
  const tools = listOf(document, 'tools');
  let costs = tools === null ? NO_COSTS : toolCosts(document, tools);
  let hasTools = tools !== null;
  let itemBytes = 0;
  for (const field of document.watched) {
    if (field.path !== 'input[].tools' || field.type === 'null') continue;
    hasTools = true;
    // Without a common limit, a body could make this walk the same bytes often.
    itemBytes += field.valueEnd - field.valueStart;
    if (itemBytes > PARSED_BYTES_MAX) throw tooManyTools();
    costs = addCosts(costs, toolCosts(document, field));
  }
  return { hasTools, costs };
}
