/**
 * Reads instructions and input items into instructions and turns.
 *
 * https://platform.openai.com/docs/api-reference/responses/create#responses-create-input
 */
import type { AssistantBlock, JsonObject, TextBlock, ToolResultBlock, Turn } from '../../../chat/request.ts';
import { ToolInputs } from '../../kit/answer/tool-input.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import {
  isAbsent,
  isBlank,
  readList,
  readName,
  readObject,
  readText,
  readTextOrNull,
  readWord,
} from '../../kit/request/request-values.ts';
import { TurnsBuilder } from '../../kit/request/turns-builder.ts';
import { referenceRefused } from '../peek/stored-data.ts';
import { readCall, readCustomCall } from './read-calls.ts';
import { readContent, textBlock } from './read-content.ts';
import { readThought } from './read-thoughts.ts';
import { quoted, warnOfCaller, warnOfUnknown } from './unknown-fields.ts';

export interface Conversation {
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
}

/** Throws `GatewayError` 400 for an item that cannot be read, with its path as `param`. */
export function readMessages(body: JsonObject, warnings: Set<string>): Conversation {
  const reader = new ItemReader(warnings);
  const instructions = readTextOrNull(body['instructions'], 'instructions') ?? '';
  if (!isBlank(instructions)) reader.builder.system([textBlock(instructions, null)]);
  const { input } = body;
  if (typeof input === 'string') {
    if (isBlank(input)) throw invalid('input', '"input" must say something.');
    reader.builder.user([textBlock(input, null)]);
  } else {
    readList(input, 'input').forEach((item, index) => {
      reader.read(readObject(item, `input[${index}]`), `input[${index}]`);
    });
  }
  const conversation = reader.builder.finish(warnings);
  // Without it the model would continue its own answer instead of writing a new one.
  if (reader.lastSilent !== null && conversation.turns.at(-1)?.role === 'assistant') {
    throw invalid(reader.lastSilent, `"${reader.lastSilent}" must say something: it is the turn to be answered.`);
  }
  if (conversation.system.length === 0 && conversation.turns.length === 0) {
    throw invalid('input', '"input" must hold at least one item that says something.');
  }
  return conversation;
}

const ROLES = ['user', 'assistant', 'system', 'developer'] as const;

/** What a provider's own tool did: what the model made of it is in its answer. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call'],
  ...['mcp_list_tools', 'mcp_call'],
]);

const KNOWN_IN_MESSAGE: ReadonlySet<string> = new Set(['type', 'id', 'status', 'role', 'content']);
const KNOWN_IN_TOOLS: ReadonlySet<string> = new Set(['type', 'id', 'status', 'role', 'tools']);
const KNOWN_IN_RESULT: ReadonlySet<string> = new Set([
  ...['type', 'id', 'status', 'call_id', 'output', 'name', 'namespace', 'caller'],
]);

class ItemReader {
  readonly builder = new TurnsBuilder();
  /** Where the last message of the user says nothing, if nothing came after it. */
  lastSilent: string | null = null;
  readonly #inputs = new ToolInputs();
  readonly #warnings: Set<string>;

  constructor(warnings: Set<string>) {
    this.#warnings = warnings;
  }

  read(item: JsonObject, path: string): void {
    const type = this.#typeOf(item, path);
    switch (type) {
      case 'message':
        return this.#message(item, path);
      case 'function_call':
        return this.#assistant([readCall(item, path, this.#inputs, this.#warnings)]);
      case 'custom_tool_call':
        return this.#assistant([readCustomCall(item, path, this.#warnings)]);
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#result(item, path);
      case 'reasoning':
        return this.#assistant(readThought(item, path, this.#warnings));
      case 'additional_tools':
        // Its tools are read with the request's own.
        return warnOfUnknown(item, KNOWN_IN_TOOLS, 'input[].', this.#warnings);
      case 'item_reference':
        throw referenceRefused(path);
      default:
        return this.#leaveOut(type, path);
    }
  }

  /** The type may be absent for a message, and for a reference. */
  #typeOf(item: JsonObject, path: string): string {
    if (!isAbsent(item['type'])) return readName(item['type'], `${path}.type`);
    if (!isAbsent(item['role'])) return 'message';
    if (!isAbsent(item['id'])) return 'item_reference';
    throw invalid(`${path}.type`, `"${path}" needs a "type", or a "role" and "content".`);
  }

  #message(item: JsonObject, path: string): void {
    const role = readWord(item['role'], `${path}.role`, ROLES);
    warnOfUnknown(item, KNOWN_IN_MESSAGE, 'input[].', this.#warnings);
    const at = `${path}.content`;
    const { content } = item;
    if (role === 'assistant') return this.#assistant(readContent(content, at, ['text', 'refusal'], this.#warnings));
    if (role === 'user') {
      const blocks = readContent(content, at, ['text', 'image', 'document', 'audio'], this.#warnings);
      this.builder.user(blocks);
      this.lastSilent = blocks.length === 0 ? at : null;
    } else {
      const blocks = readContent(content, at, ['text'], this.#warnings);
      this.builder.system(blocks);
      if (blocks.length > 0) this.lastSilent = null;
    }
  }

  #assistant(blocks: readonly AssistantBlock[]): void {
    this.builder.assistant(blocks);
    if (blocks.length > 0) this.lastSilent = null;
  }

  #result(item: JsonObject, path: string): void {
    warnOfUnknown(item, KNOWN_IN_RESULT, 'input[].', this.#warnings);
    warnOfCaller(item, this.#warnings);
    const callId = readName(item['call_id'], `${path}.call_id`);
    const result: ToolResultBlock = {
      type: 'tool_result',
      callId,
      content: this.#output(item['output'], `${path}.output`),
      isError: false,
      cache: null,
    };
    if (!this.builder.result(result)) {
      throw invalid(
        `${path}.call_id`,
        `"${path}.call_id" is not the id of a call in the items before. Send the whole input: no earlier answer is stored.`,
      );
    }
    this.lastSilent = null;
  }

  #output(output: unknown, path: string): ToolResultBlock['content'] {
    if (typeof output === 'string') return isBlank(output) ? [] : [textBlock(readText(output, path), null)];
    return readContent(output, path, ['text', 'image', 'document'], this.#warnings);
  }

  #leaveOut(type: string, path: string): void {
    if (!LEFT_OUT.has(type)) {
      throw unsupported(
        `${path}.type`,
        `"${path}" is an item ${quoted(type)}, which cannot be passed on to the provider of this model.`,
      );
    }
    this.#warnings.add(
      `an item ${quoted(type)} of an earlier turn cannot be passed on to this provider and was left out`,
    );
  }
}
