/**
 * Reads a request into the neutral form. Fails closed if a field changes what is answered and cannot be expressed elsewhere; optional
 * settings are left out with a warning.
 *
 * https://platform.openai.com/docs/api-reference/responses/create
 */
import type { ChatRequest, JsonObject } from '../../../chat/request.ts';
import { listWarnings } from '../../../chat/warnings.ts';
import { readDocumentExactly } from '../../../wire/exact-numbers.ts';
import type { Inbound } from '../../interface/inbound.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { ROUTING_FIELDS } from '../../kit/relay/routing-fields.ts';
import {
  isEmpty,
  readCountOrNull,
  readFlagOrNull,
  readListOrEmpty,
  readNumberWithin,
  readObjectOrEmpty,
  readTextOrNull,
  readWholeOrNull,
} from '../../kit/request/request-values.ts';
import { peek } from '../peek/peek.ts';
import { referenceRefused } from '../peek/stored-data.ts';
import { answerNeeds } from './answer-needs.ts';
import { readChoice } from './read-choice.ts';
import { readText } from './read-format.ts';
import { PROBABILITIES_LEFT_OUT, warnOfIncluded } from './read-included.ts';
import { readMessages } from './read-messages.ts';
import { readReasoning } from './read-reasoning.ts';
import { addedTools, readTools } from './read-tools.ts';
import { warnOfUnknown } from './unknown-fields.ts';

/** Throws `GatewayError` 400 for what cannot be read, and for what other formats cannot express and must not be lost silently. */
export function readRequest(inbound: Inbound): ChatRequest {
  return readBody(inbound, peek(inbound));
}

/** As `readRequest`, of a request that was peeked at, for an answer or for a count. */
export function readBody(inbound: Inbound, asked: Pick<ReturnType<typeof peek>, 'stream' | 'outputCap'>): ChatRequest {
  const body = readDocumentExactly(inbound.document) as JsonObject;
  const warnings = new Set<string>();
  refuseWhatIsLost(body);
  warnOfUnknown(body, KNOWN_FIELDS, '', warnings);
  warnOfUnknown(
    readObjectOrEmpty(body['stream_options'], 'stream_options'),
    KNOWN_IN_STREAM_OPTIONS,
    'stream_options.',
    warnings,
  );
  for (const name of RECORDED) readObjectOrEmpty(body[name], name);
  warnOfSettings(body, warnings);
  const kit = readTools(
    [...readListOrEmpty(body['tools'], 'tools').map(toolAt), ...addedTools(body['input'])],
    warnings,
  );
  const { system, turns } = readMessages(body, warnings);
  const { tools, toolChoice } = readChoice(body['tool_choice'], kit, warnings);
  const { format, verbosity } = readText(body['text'], warnings);
  return {
    system,
    turns,
    tools,
    toolChoice,
    parallelTools: readFlagOrNull(body['parallel_tool_calls'], 'parallel_tool_calls'),
    outputCap: asked.outputCap,
    stop: [],
    temperature: readNumberWithin(body['temperature'], 'temperature', 0, 2),
    topP: readNumberWithin(body['top_p'], 'top_p', 0, 1),
    topK: null,
    frequencyPenalty: null,
    presencePenalty: null,
    seed: null,
    reasoning: readReasoning(body['reasoning'], warnings),
    format,
    verbosity,
    user: readUser(body, warnings),
    stream: asked.stream,
    forAnswer: answerNeeds(body, kit),
    warnings: listWarnings(warnings),
  };
}

/** Fields that are read, fields without effect here, and those of `warnOfSettings`. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'stream', 'stream_options', 'max_output_tokens', 'max_tool_calls', 'tools'],
  ...['tool_choice', 'parallel_tool_calls', 'text', 'temperature', 'top_p', 'reasoning', 'user', 'safety_identifier'],
  ...['metadata', 'client_metadata', 'service_tier', 'store', 'background', 'speed', 'modalities', 'include'],
  ...['truncation', 'moderation', 'top_logprobs'],
  ...ROUTING_FIELDS,
]);

/** For the record of the call, which has their pairs. */
const RECORDED = ['metadata', 'client_metadata'];

/** Without effect, which is the default of `include_obfuscation` where answers are translated. */
const KNOWN_IN_STREAM_OPTIONS: ReadonlySet<string> = new Set();

function toolAt(tool: unknown, index: number): { readonly tool: unknown; readonly path: string } {
  return { tool, path: `tools[${index}]` };
}

function refuseWhatIsLost({ moderation, previous_response_id: previous }: JsonObject): void {
  if (!isEmpty(previous)) throw referenceRefused('previous_response_id');
  if (isEmpty(moderation)) return;
  throw unsupported(
    'moderation',
    '"moderation" cannot be passed on: the provider of this model is spoken to in another format and does not moderate.',
  );
}

/** Settings that mean nothing elsewhere. Whether they change anything depends on their value. */
function warnOfSettings(body: JsonObject, warnings: Set<string>): void {
  if (readFlagOrNull(body['store'], 'store') === true)
    warnings.add('store was left out: no answer of this provider is stored, so send the whole input with each request');
  const truncation = readTextOrNull(body['truncation'], 'truncation');
  if (truncation !== null && truncation !== 'disabled')
    warnings.add('truncation was left out: an input that is too long is refused by this provider');
  const probabilities = readWholeOrNull(body['top_logprobs'], 'top_logprobs') ?? 0;
  if (probabilities > 0) warnings.add(PROBABILITIES_LEFT_OUT);
  warnOfIncluded(body['include'], warnings);
  if (readCountOrNull(body['max_tool_calls'], 'max_tool_calls') !== null)
    warnings.add('max_tool_calls was left out: it limits tools that a provider runs, and this one runs none');
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
