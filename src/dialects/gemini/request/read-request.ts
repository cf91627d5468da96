/**
 * Reads a request into the neutral form. The peek came before: the path, the output cap and the governed fields are known to be valid.
 *
 * https://ai.google.dev/api/generate-content, https://ai.google.dev/api/tokens
 */
import type { ChatRequest, Json, JsonObject } from '../../../chat/request.ts';
import { listWarnings } from '../../../chat/warnings.ts';
import { readDocumentExactly } from '../../../wire/exact-numbers.ts';
import type { Inbound } from '../../interface/inbound.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import {
  isAbsent,
  isEmpty,
  readCountOrNull,
  readFlagOrNull,
  readListOrEmpty,
  readNumberOrNull,
  readObject,
  readObjectOrEmpty,
  readText,
  readWholeOrNull,
} from '../../kit/request/request-values.ts';
import { bothSpellings, fieldOf } from '../field-names.ts';
import { isCountPath, isStreamPath } from '../peek/read-path.ts';
import { readFormat } from './read-format.ts';
import { readMessages, readSystem } from './read-messages.ts';
import { readReasoning } from './read-reasoning.ts';
import { readTools } from './read-tools.ts';
import { knownFields, leftOut, warnOfUnknown } from './unknown-fields.ts';

/** Throws `GatewayError` 400 for what cannot be read, and for what only Google can do and must not be lost. */
export function readRequest(inbound: Inbound): ChatRequest {
  const sent = readObject(readDocumentExactly(inbound.document), 'the body');
  const body = isCountPath(inbound) ? wholeRequest(sent) : sent;
  const warnings = new Set<string>();
  warnOfUnknown(body, KNOWN, '', warnings);
  for (const name of WITHOUT_MEANING) if (!isEmpty(body[name])) warnings.add(leftOut(name));
  readObjectOrEmpty(body['labels'], 'labels');
  warnOfStream(body['stream'], inbound, warnings);
  const settings = readSettings(body, warnings);
  refuseWhatIsLost(settings);
  return {
    system: readSystem(fieldOf(body, 'systemInstruction', ''), warnings),
    turns: readMessages(body['contents'], 'contents', warnings),
    ...readTools(body, warnings),
    parallelTools: null,
    outputCap: readCountOrNull(setting(settings, 'maxOutputTokens'), `${PATH}.maxOutputTokens`),
    stop: readStop(settings, warnings),
    temperature: number(settings, 'temperature'),
    topP: number(settings, 'topP'),
    topK: readTopK(settings),
    frequencyPenalty: number(settings, 'frequencyPenalty'),
    presencePenalty: number(settings, 'presencePenalty'),
    seed: readWholeOrNull(setting(settings, 'seed'), `${PATH}.seed`),
    reasoning: readReasoning(settings, warnings),
    format: readFormat(settings),
    verbosity: null,
    user: null,
    stream: isStreamPath(inbound),
    warnings: listWarnings(warnings),
  };
}

const PATH = 'generationConfig';
/** The fields that are read, those of the peek, and labels, which are for the caller's own records. */
const KNOWN = knownFields([
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings', 'labels', 'model'],
  ...['cachedContent', 'serviceTier', 'store', 'stream'],
]);
const TEXTS: ReadonlySet<unknown> = new Set(['TEXT', 'MODALITY_UNSPECIFIED']);
const WITHOUT_MEANING = bothSpellings(['safetySettings']);

/** Other formats have this field; here the path says it. */
function warnOfStream(value: Json | undefined, inbound: Inbound, warnings: Set<string>): void {
  if (value === false || isAbsent(value) || isStreamPath(inbound)) return;
  warnings.add(
    'stream was left out: the path asks for a stream, with :streamGenerateContent in the place of :generateContent',
  );
}

/** A request to count may have the whole request in a field. */
function wholeRequest(body: JsonObject): JsonObject {
  const whole = fieldOf(body, 'generateContentRequest', '');
  return isAbsent(whole) ? body : readObject(whole, 'generateContentRequest');
}

/** What only refines an answer in pictures or sound means nothing where the answer is text. */
const KNOWN_SETTINGS = knownFields([
  ...['maxOutputTokens', 'candidateCount', 'stopSequences', 'temperature', 'topP', 'topK', 'seed'],
  ...['frequencyPenalty', 'presencePenalty', 'responseMimeType', 'responseSchema', 'responseJsonSchema'],
  ...['responseFormat', 'responseModalities', 'thinkingConfig', 'responseLogprobs'],
]);

function readSettings(body: JsonObject, warnings: Set<string>): JsonObject {
  const value = fieldOf(body, 'generationConfig', '');
  if (isAbsent(value)) return {};
  const settings = readObject(value, PATH);
  warnOfUnknown(settings, KNOWN_SETTINGS, `${PATH}.`, warnings);
  if (readFlagOrNull(setting(settings, 'responseLogprobs'), `${PATH}.responseLogprobs`) === true)
    warnings.add(leftOut(`${PATH}.responseLogprobs`));
  return settings;
}

function setting(settings: JsonObject, name: string): Json | undefined {
  return fieldOf(settings, name, PATH);
}

function number(settings: JsonObject, name: string): number | null {
  return readNumberOrNull(setting(settings, name), `${PATH}.${name}`);
}

/** Google's own type for it is a fraction; zero or less means "off". */
function readTopK(settings: JsonObject): number | null {
  const topK = number(settings, 'topK');
  return topK === null || topK < 1 ? null : Math.round(topK);
}

function refuseWhatIsLost(settings: JsonObject): void {
  const choices = readCountOrNull(setting(settings, 'candidateCount'), `${PATH}.candidateCount`) ?? 1;
  if (choices > 1) throw cannotPass('candidateCount', 'gives one answer at a time');
  const modalities = readListOrEmpty(setting(settings, 'responseModalities'), `${PATH}.responseModalities`);
  if (modalities.some((modality) => !TEXTS.has(modality))) throw cannotPass('responseModalities', 'answers in text');
}

function cannotPass(name: string, why: string): Error {
  return unsupported(
    `${PATH}.${name}`,
    `"${PATH}.${name}" cannot be passed on: the provider of this model is spoken to in another format and ${why}.`,
  );
}

function readStop(settings: JsonObject, warnings: Set<string>): readonly string[] {
  const path = `${PATH}.stopSequences`;
  const sent = readListOrEmpty(setting(settings, 'stopSequences'), path).map((stop, index) =>
    readText(stop, `${path}[${index}]`),
  );
  const stops = sent.filter((stop) => stop !== '');
  if (stops.length < sent.length) warnings.add('empty stop sequences were left out');
  return stops;
}
