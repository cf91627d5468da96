/**
 * The parts of a turn. What Google's own tools did in earlier turns has no meaning elsewhere and is left out with a warning; a part of an
 * unknown kind is a 400, because it may contain the question.
 *
 * https://ai.google.dev/api/caching#Part
 */
import {
  type AssistantBlock,
  GOOGLE_REASONING,
  type JsonObject,
  type ReasoningBlock,
  type ReasoningName,
  UNKNOWN_REASONING,
} from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import {
  isAbsent,
  isBlank,
  isList,
  isRecord,
  readFlagOrNull,
  readName,
  readObject,
  readText,
  readTextOrNull,
} from '../../kit/request/request-values.ts';
import { openThoughts } from '../answer/reasoning-tag.ts';
import { fieldOf, snakeOf } from '../field-names.ts';
import { type MediaBlock, readBlob, readFile } from './read-media.ts';
import { knownFields, leftOut, warnOfUnknown } from './unknown-fields.ts';

/** What a part says, before calls and results are matched. */
export type ReadPart =
  | { readonly type: 'text'; readonly text: string; readonly isThought: boolean }
  | { readonly type: 'media'; readonly block: MediaBlock }
  | { readonly type: 'call'; readonly id: string | null; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'result'; readonly result: FunctionResult }
  | { readonly type: 'left_out' };

export interface FunctionResult {
  readonly id: string | null;
  readonly name: string;
  readonly response: JsonObject;
  readonly media: readonly MediaBlock[];
  readonly path: string;
}

/** The value as a list: Google takes one object for a list of one. */
export function listOf(value: unknown, path: string): readonly JsonObject[] {
  if (isAbsent(value)) return [];
  if (isRecord(value)) return [value];
  if (!isList(value)) throw invalid(path, `"${path}" must be an array.`);
  return value.map((item, index) => readObject(item, `${path}[${index}]`));
}

export function readPart(part: JsonObject, path: string, warnings: Set<string>): ReadPart {
  const given = (name: string): JsonObject[string] | null => fieldOf(part, name, path) ?? null;
  warnOfUnknown(part, KNOWN, 'contents[].parts[].', warnings);
  const kinds = kindsOf(part, path);
  // Google refuses it too: they are one choice of its `Part`.
  if (kinds.length > 1) throw invalid(path, `"${path}" must be of one kind, and has ${kinds.join(' and ')}.`);
  const [kind] = kinds;
  if (kind !== 'text' && part['thought'] === true) warnings.add(leftOut('contents[].parts[].thought'));
  if (kind === 'text') {
    const isThought = readFlagOrNull(part['thought'], `${path}.thought`) ?? false;
    return { type: 'text', text: readText(part['text'], `${path}.text`), isThought };
  }
  const call = given('functionCall');
  if (call !== null) return readCall(readObject(call, `${path}.functionCall`), `${path}.functionCall`, warnings);
  const result = given('functionResponse');
  if (result !== null)
    return readResult(readObject(result, `${path}.functionResponse`), `${path}.functionResponse`, warnings);
  const blob = given('inlineData');
  if (blob !== null) return { type: 'media', block: readBlob(blob, `${path}.inlineData`, warnings) };
  const file = given('fileData');
  if (file !== null) return { type: 'media', block: readFile(file, `${path}.fileData`, warnings) };
  if (kind !== undefined) {
    warnings.add("what the provider's own tools did in earlier turns was left out");
    return { type: 'left_out' };
  }
  // A signature alone.
  if (given('thoughtSignature') !== null || given('thought') !== null) return { type: 'left_out' };
  throw invalid(path, `"${path}" must have a text, a function call or response, data, or a file.`);
}

/** What a part can be; the last four are of tools that Google runs. */
const KINDS = [
  ...['text', 'functionCall', 'functionResponse', 'inlineData', 'fileData'],
  ...['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'],
];
const KIND_OF: ReadonlyMap<string, string> = new Map(
  KINDS.flatMap((kind) => [
    [kind, kind],
    [snakeOf(kind), kind],
  ]),
);

/** By the names it has: asking for every kind takes longer, and a request may have ten thousands of parts. */
function kindsOf(part: JsonObject, path: string): readonly string[] {
  const found = new Set<string>();
  for (const name of Object.keys(part)) {
    const kind = KIND_OF.get(name);
    if (kind !== undefined && !isAbsent(fieldOf(part, kind, path))) found.add(kind);
  }
  return found.size > 1 ? KINDS.filter((kind) => found.has(kind)) : [...found];
}

const KNOWN = knownFields(['thought', 'thoughtSignature', ...KINDS]);
const KNOWN_IN_CALL = knownFields(['id', 'name', 'args', 'partialArgs', 'willContinue']);
const KNOWN_IN_RESULT = knownFields(['id', 'name', 'response', 'parts']);

function readCall(call: JsonObject, path: string, warnings: Set<string>): ReadPart {
  warnOfUnknown(call, KNOWN_IN_CALL, 'functionCall.', warnings);
  const pieces = fieldOf(call, 'partialArgs', path);
  if (isList(pieces) && pieces.length > 0) throw unsupported(`${path}.partialArgs`, 'Send whole arguments, in "args".');
  return {
    type: 'call',
    id: readTextOrNull(call['id'], `${path}.id`) || null,
    name: readName(call['name'], `${path}.name`),
    input: isAbsent(call['args']) ? {} : readObject(call['args'], `${path}.args`),
  };
}

function readResult(result: JsonObject, path: string, warnings: Set<string>): ReadPart {
  warnOfUnknown(result, KNOWN_IN_RESULT, 'functionResponse.', warnings);
  const media = listOf(result['parts'], `${path}.parts`).map((part, index) => {
    const read = readPart(part, `${path}.parts[${index}]`, warnings);
    if (read.type !== 'media')
      throw invalid(`${path}.parts[${index}]`, `"${path}.parts[${index}]" must be data or a file.`);
    return read.block;
  });
  return {
    type: 'result',
    result: {
      id: readTextOrNull(result['id'], `${path}.id`) || null,
      name: readTextOrNull(result['name'], `${path}.name`) ?? '',
      response: isAbsent(result['response']) ? {} : readObject(result['response'], `${path}.response`),
      media,
      path,
    },
  };
}

/** A part with its path, for messages about it. */
export type Placed = readonly [part: JsonObject, path: string];

/** The blocks of a model's turn. `idOf` names a call. */
export function readModelParts(
  parts: readonly Placed[],
  idOf: (call: { readonly id: string | null; readonly name: string }) => string,
  warnings: Set<string>,
): readonly AssistantBlock[] {
  const turn = new ModelTurn();
  for (const [part, path] of parts) {
    const read = readPart(part, path, warnings);
    const signature = readSignature(part, path);
    if (read.type === 'call') {
      const id = idOf(read);
      turn.sign(signature, { id });
      turn.call({ type: 'tool_call', id, name: read.name, input: read.input, cache: null });
      continue;
    }
    turn.sign(signature);
    if (read.type === 'text') turn.say(read.text, read.isThought);
    else if (read.type === 'media')
      throw unsupported(path, 'This model cannot be sent what another drew or said; send it in a turn of the user.');
    else if (read.type === 'result')
      throw invalid(path, `"${path}" is the response of a function, which belongs to a turn of the user.`);
  }
  return turn.finish();
}

/**
 * Clients keep the pieces of a stream separate: adjacent texts are pieces of one, and so are adjacent thoughts. A thought in words precedes
 * the part that it led to, and the signature of that part may have it as well: then it counts once.
 */
class ModelTurn {
  readonly #blocks: AssistantBlock[] = [];
  #text = '';
  #thought = '';

  /** Before the part that has it; some providers find the call of a signature by its id. */
  sign(signature: string | null, name: ReasoningName = {}): void {
    if (signature === null) return;
    this.#endText();
    const sealed = openThoughts(signature);
    if (sealed === null) {
      this.#endThought();
      this.#blocks.push(thoughtOf({ encrypted: signature, origin: GOOGLE_REASONING, ...name }));
      return;
    }
    this.#thought = '';
    for (const thought of sealed) this.#blocks.push(thought);
  }

  say(text: string, isThought: boolean): void {
    if (isThought) {
      this.#endText();
      this.#thought += text;
    } else {
      if (text !== '') this.#endThought();
      this.#text += text;
    }
  }

  call(block: AssistantBlock): void {
    this.#endText();
    this.#endThought();
    this.#blocks.push(block);
  }

  finish(): readonly AssistantBlock[] {
    this.#endText();
    this.#endThought();
    return this.#blocks;
  }

  #endText(): void {
    if (!isBlank(this.#text)) this.#blocks.push({ type: 'text', text: this.#text, cache: null });
    this.#text = '';
  }

  #endThought(): void {
    if (this.#thought !== '') this.#blocks.push(thoughtOf({ text: this.#thought }));
    this.#thought = '';
  }
}

function thoughtOf(known: Partial<ReasoningBlock>): ReasoningBlock {
  return { type: 'reasoning', text: '', signature: null, encrypted: null, origin: UNKNOWN_REASONING, ...known };
}

/** Null without one, and for those that are documented to mean nothing. */
function readSignature(part: JsonObject, path: string): string | null {
  const signature = readTextOrNull(fieldOf(part, 'thoughtSignature', path), `${path}.thoughtSignature`) ?? '';
  return signature === '' || NO_SIGNATURES.has(signature) ? null : signature;
}

/** https://ai.google.dev/gemini-api/docs/thought-signatures#faqs */
const NO_SIGNATURES: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
]);
