/**
 * Reads one delta of a stream, or the message of a whole answer, into a list of pieces, reasoning first. Vendors write reasoning in four
 * ways and content in two; the pieces are uniform. Empty texts give no pieces, and values of the wrong type count as absent.
 *
 * OpenRouter's `reasoning_details`: https://openrouter.ai/docs/use-cases/reasoning-tokens Mistral's content parts:
 * https://docs.mistral.ai/capabilities/reasoning/
 */
import { type ReasoningName, UNKNOWN_REASONING } from '../../../chat/request.ts';
import type { AnswerImage, Citation } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asArray, asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import { readCitation } from './citation.ts';
import {
  addLossesOfCall,
  addLossesOfMessage,
  CITATION_WITHOUT_ADDRESS,
  type Loss,
  lossOfAnnotation,
  lossOfDetail,
  lossOfPart,
  SOUND,
} from './losses.ts';

export type Piece =
  | { readonly type: 'text' | 'refusal'; readonly text: string }
  | ({ readonly type: 'reasoning'; readonly text: string } & Whose)
  | ({ readonly type: 'signature'; readonly signature: string } & Whose)
  | ({ readonly type: 'encrypted'; readonly data: string } & Whose)
  | { readonly type: 'citation'; readonly citation: Citation }
  | ({ readonly type: 'call' } & CallPiece)
  | AnswerImage
  | Loss;

/** The vendor of a thought, and which one it is: `index` is its position in OpenRouter's list. */
interface Whose extends ReasoningName {
  readonly origin: string;
  readonly index: number | null;
}

/** A piece of a tool call; null for what it does not state. */
export interface CallPiece {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  /** More of the arguments' JSON text, or of a custom tool's input; may be empty. */
  readonly json: string;
  readonly custom?: boolean;
}

/** Reads a `delta` or a `message`. Throws `bad_gateway` only for arguments that nest too deep to be written. */
export function readPieces(delta: JsonObject): Piece[] {
  if (isPlainText(delta)) return [{ type: 'text', text: delta['content'] as string }];
  const pieces: Piece[] = [];
  readReasoning(delta, pieces);
  readContent(delta['content'], pieces);
  // A spoken answer has its words here, and no `content`.
  const audio = asObject(delta['audio']);
  addText(audio?.['transcript'], pieces);
  if (asText(audio?.['data']) !== null) pieces.push(SOUND);
  const refusal = asText(delta['refusal']);
  if (refusal !== null) pieces.push({ type: 'refusal', text: refusal });
  readAnnotations(delta['annotations'], pieces);
  readCalls(delta, pieces);
  for (const item of asArray(delta['images'])) readImage(asObject(item), pieces);
  addLossesOfMessage(delta, pieces);
  return pieces;
}

/** Whether it has only text, as nearly every delta: then nothing else need be searched for. */
function isPlainText(delta: JsonObject): boolean {
  for (const name in delta) {
    if (name === 'content') continue;
    if (name !== 'role' && delta[name] !== null) return false;
  }
  return asText(delta['content']) !== null;
}

/** `reasoning` repeats the text of `reasoning_details`, and some vendors send it under both names: each thought counts once. */
function readReasoning(delta: JsonObject, pieces: Piece[]): void {
  const details = asArray(delta['reasoning_details']).map(asObject);
  const plain = asText(delta['reasoning']) ?? asText(delta['reasoning_content']);
  const detailed = details.some((detail) => detail !== null && detailText(detail) !== null);
  if (plain !== null && !detailed) {
    const first = details.find((detail) => detail !== null) ?? null;
    pieces.push({ type: 'reasoning', text: plain, origin: originOf(first), index: indexOf(first), ...nameOf(first) });
  }
  for (const detail of details) if (detail !== null) readDetail(detail, pieces);
}

function readDetail(detail: JsonObject, pieces: Piece[]): void {
  const origin = originOf(detail);
  const index = indexOf(detail);
  const text = detailText(detail);
  const signature = asText(detail['signature']);
  const data = asText(detail['data']);
  const name = nameOf(detail);
  if (text !== null) pieces.push({ type: 'reasoning', text, origin, index, ...name });
  if (signature !== null) pieces.push({ type: 'signature', signature, origin, index, ...name });
  if (data !== null) pieces.push({ type: 'encrypted', data, origin, index, ...name });
  const type = asText(detail['type']);
  if (type !== null && !DETAILS.has(type)) pieces.push(lossOfDetail(type));
}

/** Of other types only the fields that these have are read. */
const DETAILS: ReadonlySet<string> = new Set(['reasoning.text', 'reasoning.summary', 'reasoning.encrypted']);

function detailText(detail: JsonObject): string | null {
  return asText(detail['text']) ?? asText(detail['summary']);
}

function originOf(detail: JsonObject | null): string {
  return asText(detail?.['format']) ?? UNKNOWN_REASONING;
}

function nameOf(detail: JsonObject | null): ReasoningName {
  const id = asText(detail?.['id']);
  return { ...(id !== null && { id }), ...(detail?.['type'] === 'reasoning.summary' && { summary: true }) };
}

function indexOf(fields: JsonObject | null): number | null {
  const index = fields?.['index'];
  return typeof index === 'number' && Number.isInteger(index) ? index : null;
}

/** A text, or parts: `{type: "text", text}`, `{type: "thinking", thinking: [{type: "text", text}]}`, `{type: "refusal", refusal}`. */
function readContent(content: unknown, pieces: Piece[]): void {
  addText(content, pieces);
  for (const item of asArray(content)) {
    const part = asObject(item);
    if (part === null) continue;
    const thought = thinkingText(part['thinking']);
    if (thought !== '') pieces.push({ type: 'reasoning', text: thought, origin: UNKNOWN_REASONING, index: null });
    addText(part['text'], pieces);
    const refusal = asText(part['refusal']);
    if (refusal !== null) pieces.push({ type: 'refusal', text: refusal });
    const type = asText(part['type']);
    if (type === 'image_url') readImage(part, pieces);
    else if (type !== null && !PARTS.has(type)) pieces.push(lossOfPart(type));
  }
}

/** OpenRouter's: https://openrouter.ai/docs/features/multimodal/image-generation */
function readImage(part: JsonObject | null, pieces: Piece[]): void {
  const url = asText(asObject(part?.['image_url'])?.['url']) ?? '';
  const dataStart = url.indexOf(BASE64, 0);
  const isData = url.startsWith('data:image/') && dataStart !== -1 && dataStart < HEAD_LENGTH_MAX;
  if (!isData) pieces.push(lossOfPart('image_url'));
  else pieces.push({ type: 'image', mediaType: url.slice(5, dataStart), data: url.slice(dataStart + BASE64.length) });
}

const BASE64 = ';base64,';
const HEAD_LENGTH_MAX = 64;

const PARTS: ReadonlySet<string> = new Set(['text', 'output_text', 'thinking', 'refusal']);

function thinkingText(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return asArray(thinking)
    .map((part) => asText(asObject(part)?.['text']) ?? '')
    .join('');
}

function addText(value: unknown, pieces: Piece[]): void {
  const text = asText(value);
  if (text !== null) pieces.push({ type: 'text', text });
}

function readAnnotations(annotations: unknown, pieces: Piece[]): void {
  for (const item of asArray(annotations)) {
    const note = asObject(item);
    if (note === null) continue;
    const page = asObject(note['url_citation']);
    const citation = page === null ? null : readCitation(page);
    if (page === null) pieces.push(lossOfAnnotation(note['type']));
    else pieces.push(citation === null ? CITATION_WITHOUT_ADDRESS : { type: 'citation', citation });
  }
}

function readCalls(delta: JsonObject, pieces: Piece[]): void {
  for (const item of asArray(delta['tool_calls'])) {
    const call = asObject(item);
    if (call === null) continue;
    const custom = asObject(call['function']) === null ? asObject(call['custom']) : null;
    const called = custom ?? asObject(call['function']);
    pieces.push({
      type: 'call',
      index: indexOf(call),
      id: asText(call['id']),
      name: asText(called?.['name']),
      json: argumentsText(called?.['arguments'] ?? called?.['input']),
      ...(custom !== null && { custom: true }),
    });
    addLossesOfCall(call, pieces);
  }
  // The single call of the deprecated form; it has no id.
  const legacy = asObject(delta['function_call']);
  if (legacy === null) return;
  const json = argumentsText(legacy['arguments']);
  pieces.push({ type: 'call', index: LEGACY_INDEX, id: null, name: asText(legacy['name']), json });
}

/** Not an index of a tool call. */
const LEGACY_INDEX = -1;

/** A JSON text in the format; some local servers send the object itself. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (asObject(value) === null) return '';
  if (isShallow(value)) return JSON.stringify(value);
  throw new GatewayError('bad_gateway', { message: 'The provider sent a tool call that is nested too deeply.' });
}
