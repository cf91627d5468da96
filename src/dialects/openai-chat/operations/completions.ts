/**
 * Text that goes on from a prompt, or fills the gap before a suffix: https://platform.openai.com/docs/api-reference/completions/create. Its
 * answers are those of a conversation, except that a choice has its text in `text`.
 *
 * Others have the same request, with fields of their own, which pass: https://api-docs.deepseek.com/api/create-completion,
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { type Edit, insertField, replaceValue } from '../../../wire/json-splice.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import type { Peek } from '../../interface/peek.ts';
import type { Relay, RelayContext } from '../../interface/relay.ts';
import type { PatchedRequest, RequestEdits } from '../../interface/request-edits.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { refused } from '../../kit/peek/governed-field.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { readSearchField, searchFields } from '../../kit/peek/search-fields.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { ofCompletion } from '../meter/choice-form.ts';
import { OpenaiChatMeter } from '../meter/meter.ts';
import { generationFields, OTHER_CAP, SEND_CAP } from '../peek/generation-fields.ts';
import { refuseNestedFields } from '../peek/nested-fields.ts';
import { CHOICES_MAX, OUTPUT_CAP_MAX, PARAMETERS, readPredictedTokens } from '../peek/peek.ts';
import { peekedFields } from '../peek/peeked-fields.ts';
import { readWantsUsage } from '../peek/wants-usage.ts';
import { findCompletionText } from '../relay/find-text.ts';
import { StreamPatcher } from '../relay/patcher.ts';
import { usageEdit } from '../relay/usage-edit.ts';
import { WholeAnswerPatcher } from '../relay/whole-answer-patcher.ts';
import { countPrompts } from './count-prompts.ts';
import { patchPartWith } from './patch-part.ts';
import { partReader } from './peek-part.ts';

const { present, readFlag, readWholeNumber, readCount } = requestFields;

/** Fireworks' alias of the cap: only one of them is read here. */
export const governedInCompletions = [...generationFields, refused('max_completion_tokens', OTHER_CAP, SEND_CAP)];

/** What a short body can name instead of the prompt itself: images (Fireworks, SGLang), and vLLM's embedded prompt. */
const WITHOUT_BOUND = ['images', 'images_config', 'mm_processor_kwargs', 'prompt_embeds'] as const;

const read = partReader({
  governed: governedInCompletions,
  read: [
    ...peekedFields.filter((name) => name !== 'max_completion_tokens'),
    ...['prompt', 'suffix', 'best_of', 'echo', 'echo_last', 'reasoning', ...WITHOUT_BOUND, ...searchFields],
  ],
  prompt: ['prompt', 'suffix'],
  parameters: PARAMETERS,
});

export const completions: OperationPart = {
  exampleBody: (model) => ({ model, prompt: 'Hello, Turnpike', max_tokens: 16 }),
  peek: peekCompletion,
  patchRequest,
  openRelay,
};

function peekCompletion({ document }: Inbound): Peek {
  const peek = read(document);
  const outputCap = readCount(document, 'max_tokens', OUTPUT_CAP_MAX);
  refuseNestedFields(document, outputCap);
  const stream = readFlag(document, 'stream');
  const prompts = countPrompts(document);
  const answers = readWholeNumber(document, 'n', CHOICES_MAX) ?? 1;
  const candidates = readCount(document, 'best_of', CHOICES_MAX) ?? 1;
  if (stream && candidates > answers)
    throw unsupported('best_of', 'The best of several answers cannot be streamed: leave "best_of" or "stream" out.');
  const searchField = readSearchField(document);
  const suffix = repeatedBytes(document, 'suffix');
  return {
    ...peek,
    stream,
    outputCap,
    // Of several candidates for each answer, all are generated and charged.
    choices: prompts * Math.max(answers, candidates),
    wantsUsage: stream && readWantsUsage(document),
    hasFormat: present(document, 'response_format') !== null,
    promptUnbounded: searchField !== null || WITHOUT_BOUND.some((name) => present(document, name) !== null),
    searchField,
    promptBytes: peek.promptBytes + (prompts - 1) * suffix.bytes,
    predictedTokens: readPredictedTokens(document, peek.growth),
    ...(prompts > 1 && { requests: prompts, repeatedTokens: (prompts - 1) * (suffix.bytes + suffix.growth) }),
    ...(isEchoed(document) && { echoedBytes: echoedBytes(document, answers, outputCap) }),
  };
}

/** The suffix goes with every prompt. */
function repeatedBytes(document: JsonDocument, name: 'suffix'): { readonly bytes: number; readonly growth: number } {
  const field = present(document, name);
  if (field === null) return { bytes: 0, growth: 0 };
  const { valueStart, valueEnd } = field;
  return {
    bytes: valueEnd - valueStart,
    growth: normalisedGrowth(document.bytes.subarray(valueStart, valueEnd)),
  };
}

/** Fireworks repeats the last tokens only. */
function isEchoed(document: JsonDocument): boolean {
  return readFlag(document, 'echo') || present(document, 'echo_last') !== null;
}

/** A text is no longer than its JSON, and tokens are about as long as their numbers. Without any output, all that is delivered is an echo. */
function echoedBytes(document: JsonDocument, answers: number, outputCap: number | null): number {
  const prompt = present(document, 'prompt');
  if (outputCap === 0) return Number.POSITIVE_INFINITY;
  return prompt === null ? 0 : answers * (prompt.valueEnd - prompt.valueStart);
}

function patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits): PatchedRequest {
  const { document } = inbound;
  const own: Edit[] = [];
  if (edits.outputCap !== null) own.push(capEdit(document, edits.outputCap));
  if (peek.stream && !peek.wantsUsage) own.push(usageEdit(document));
  return patchPartWith(inbound, peek, edits, own);
}

/** The gateway's own cap, for a caller that set none. */
function capEdit(document: JsonDocument, cap: number): Edit {
  const field = document.fields.get('max_tokens');
  return field === undefined ? insertField(document, 'max_tokens', String(cap)) : replaceValue(field, String(cap));
}

function openRelay({ choices, echoedBytes = 0, stream, wantsUsage }: Peek, context: RelayContext): Relay {
  // A word of the output may go on from one of the prompt.
  const tokenizer = echoedBytes === 0 ? context.tokenizer : undefined;
  return new FrameRelay({
    meter: new OpenaiChatMeter(choices, tokenizer, { form: ofCompletion, echoedBytes }),
    editor: stream ? new StreamPatcher(wantsUsage, context, EMPTY_CHOICE) : new WholeAnswerPatcher(wantsUsage, context),
    guard: context.guard,
    findText: findCompletionText,
  });
}

const EMPTY_CHOICE = Buffer.from('[{"index":0,"text":"","logprobs":null,"finish_reason":null}]');
