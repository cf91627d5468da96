/**
 * Reads what the gateway must know about a chat completions request before it is admitted, from the fields that the body scan found.
 * Nothing here parses the conversation, so a body of 32 MiB costs no more than one of 32 bytes.
 *
 * https://platform.openai.com/docs/api-reference/chat/create
 */

import type { JsonDocument } from '../../../wire/json-document.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { readModel, requireMessages } from '../../kit/peek/required-fields.ts';
import { readPreferences } from '../../kit/peek/routing/read-preferences.ts';
import { readSearchField } from '../../kit/peek/search-fields.ts';
import { hasOpenRouterFields } from '../relay/openrouter-edits.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { refuseNestedFields } from './nested-fields.ts';
import { listOf, present, readFlag, readWholeNumber } from './peeked-fields.ts';
import { readInlineMedia } from './read-inline-media.ts';
import { choosesServerTool, runsServerTools } from './server-tools.ts';
import { readWantsUsage } from './wants-usage.ts';

/** Throws `GatewayError` 400 for a request no provider could serve, and for refused governed fields. */
export function peek(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readModel(document, '"model" must be the name of a model, as a string.');
  requireMessages(document);
  const stream = readFlag(document, 'stream');
  const outputCap = readOutputCap(document);
  const choices = readWholeNumber(document, 'n', CHOICES_MAX) ?? 1;
  const wantsUsage = stream && readWantsUsage(document);
  refuseGovernedFields(document);
  refuseNestedFields(document, outputCap);
  const tools = listOf(document, 'tools');
  const media = readInlineMedia(document);
  const growth = document.growth ?? normalisedGrowth(document.bytes);
  const choice = present(document, 'tool_choice');
  const runsTools =
    (tools !== null && runsServerTools(document, tools)) || (choice !== null && choosesServerTool(document, choice));
  const searchField = readSearchField(document);
  const preferences = readPreferences(document, model, PARAMETERS);
  return {
    model,
    stream,
    outputCap,
    choices,
    hasTools: tools !== null || listOf(document, 'functions') !== null,
    namedTools: 0,
    hasFormat: present(document, 'response_format') !== null,
    wantsUsage,
    promptUnbounded:
      !media.isBounded ||
      WITHOUT_BOUND.some((name) => present(document, name) !== null) ||
      runsTools ||
      searchField !== null,
    // The format has no way to say how often such a tool may be used.
    serverToolUses: runsTools ? 'unbounded' : 0,
    searchField,
    compacts: false,
    media,
    promptBytes: promptBytesOf(document, PROMPT_FIELDS, media),
    bodyBytes: document.bytes.length,
    values: document.values,
    growth,
    predictedTokens: readPredictedTokens(document, growth),
    needsTarget: hasOpenRouterFields(document),
    ...(preferences !== null && { preferences }),
  };
}

/** https://openrouter.ai/docs/api-reference/parameters has the same names. */
export const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ...['temperature', 'top_p', 'top_k', 'min_p', 'top_a', 'frequency_penalty', 'presence_penalty'].map(itself),
  ...['repetition_penalty', 'seed', 'stop', 'logit_bias', 'logprobs', 'top_logprobs', 'response_format'].map(itself),
  ...['structured_outputs', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_tokens', 'verbosity'].map(itself),
  ...['reasoning', 'include_reasoning', 'web_search_options'].map(itself),
  ['max_completion_tokens', 'max_tokens'],
  ['reasoning_effort', 'reasoning'],
]);
const PROMPT_FIELDS: readonly string[] = ['messages', 'tools', 'functions'];
/** No model writes this much; a larger number is a mistake, and would make the hold absurd. */
export const OUTPUT_CAP_MAX = 2 ** 31 - 1;
export const CHOICES_MAX = 128;
/**
 * vLLM's fields by which a short body can mean a long prompt: the caller's own template, and how finely images and videos are cut.
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
 */
const WITHOUT_BOUND = ['chat_template', 'mm_processor_kwargs', 'media_io_kwargs'] as const;

/** https://platform.openai.com/docs/guides/predicted-outputs */
export function readPredictedTokens(document: JsonDocument, growth: number): number {
  const prediction = present(document, 'prediction');
  return prediction === null ? 0 : prediction.valueEnd - prediction.valueStart + growth;
}

/** If both names are set, an answer must respect both, so the smaller one is sent under the provider's name. */
function readOutputCap(document: JsonDocument): number | null {
  const current = readWholeNumber(document, 'max_completion_tokens', OUTPUT_CAP_MAX);
  const deprecated = readWholeNumber(document, 'max_tokens', OUTPUT_CAP_MAX);
  if (current === null || deprecated === null) return current ?? deprecated;
  return Math.min(current, deprecated);
}

function itself(name: string): readonly [string, string] {
  return [name, name];
}
