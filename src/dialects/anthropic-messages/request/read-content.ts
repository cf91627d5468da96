/**
 * The content blocks of the turns of a Messages request. Blocks without meaning elsewhere (what server tools did) are left out with a
 * warning; an unknown type is a 400, because it may contain the question.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import {
  type AssistantBlock,
  type Json,
  type JsonObject,
  type ReasoningBlock,
  type TextBlock,
  type ToolResultBlock,
  UNKNOWN_REASONING,
  type UserBlock,
} from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import {
  isAbsent,
  isBlank,
  isEmpty,
  isList,
  isRecord,
  readFlagOrNull,
  requireList,
  requireName,
  requireObject,
  requireText,
} from '../../kit/request/request-values.ts';
import { openSignature } from '../answer/reasoning-tag.ts';
import { isServerSide, warnOfBlock } from './known-fields.ts';
import { readCacheMark } from './read-cache-mark.ts';
import { readDocument, readImage, readSearchResult } from './read-media.ts';
import { quotable } from './unknown-fields.ts';

/** Calls `read` for every block; a string counts as one block of text, and absent content as none. */
export function eachBlock(content: Json | undefined, param: string, read: (block: JsonObject, at: string) => void) {
  if (typeof content === 'string') return read({ type: 'text', text: content }, param);
  if (!isAbsent(content) && !isList(content)) throw invalid(param, `"${param}" must be a string or an array.`);
  requireList(content, param).forEach((value, index) => {
    read(requireObject(value, `${param}[${index}]`), `${param}[${index}]`);
  });
}

export function readUserBlock(block: JsonObject, param: string, warnings: Set<string>): readonly UserBlock[] {
  warnOfBlock(block, 'messages[].content[].', warnings);
  switch (block['type']) {
    case 'tool_result':
      return [readToolResult(block, param, warnings)];
    case 'container_upload':
      throw unsupported(param, 'Stored files are not accessible; send its content in a document block.');
    default:
      return readInputBlock(block, param, warnings) ?? leaveOut(block, param, warnings);
  }
}

export function readAssistantBlock(block: JsonObject, param: string, warnings: Set<string>): readonly AssistantBlock[] {
  warnOfBlock(block, 'messages[].content[].', warnings);
  switch (block['type']) {
    case 'text':
      return readTextBlock(block, param, warnings);
    case 'tool_use':
      return [readToolUse(block, param, warnings)];
    case 'thinking':
      return readThinking(block, param);
    case 'redacted_thinking':
      return readRedactedThinking(block, param);
    case 'compaction':
      return readCompaction(block, param, warnings);
    default:
      return leaveOut(block, param, warnings);
  }
}

/** Empty for blank text: providers refuse such blocks. */
export function readTextBlock(block: JsonObject, param: string, warnings: Set<string>): readonly TextBlock[] {
  if (block['type'] !== 'text') throw misplaced(block, param);
  const text = requireText(block['text'], `${param}.text`);
  const { citations } = block;
  if (isList(citations) && citations.length > 0) warnings.add('citations in earlier turns were left out');
  const cache = readCacheMark(block, param, warnings);
  return isBlank(text) ? [] : [{ type: 'text', text, cache }];
}

function readToolUse(block: JsonObject, param: string, warnings: Set<string>): AssistantBlock {
  const { caller } = block;
  if (isRecord(caller) && !isEmpty(caller) && caller['type'] !== 'direct') {
    warnings.add('the caller of a tool_use was left out: only the model itself calls tools here');
  }
  return {
    type: 'tool_call',
    id: requireName(block['id'], `${param}.id`),
    name: requireText(block['name'], `${param}.name`),
    input: requireObject(block['input'], `${param}.input`),
    cache: readCacheMark(block, param, warnings),
  };
}

function readToolResult(block: JsonObject, param: string, warnings: Set<string>): ToolResultBlock {
  const content: ResultParts[number][] = [];
  if (!isAbsent(block['content'])) {
    eachBlock(block['content'], `${param}.content`, (part, at) => {
      for (const read of readResultPart(part, at, warnings)) content.push(read);
    });
  }
  return {
    type: 'tool_result',
    callId: requireName(block['tool_use_id'], `${param}.tool_use_id`),
    content,
    isError: readFlagOrNull(block['is_error'], `${param}.is_error`) ?? false,
    cache: readCacheMark(block, param, warnings),
  };
}

function readResultPart(block: JsonObject, param: string, warnings: Set<string>): ResultParts {
  warnOfBlock(block, 'messages[].content[].content[].', warnings);
  switch (block['type']) {
    case 'tool_reference': {
      // All tools are sent with the request, so the model needs only the name.
      warnings.add('a tool_reference was sent as text');
      const text = `Tool: ${requireText(block['tool_name'], `${param}.tool_name`)}`;
      return [{ type: 'text', text, cache: readCacheMark(block, param, warnings) }];
    }
    case 'browser_state':
      warnings.add('browser_state is not supported by this provider and was left out');
      return [];
    default: {
      const read = readInputBlock(block, param, warnings);
      if (read === null) throw misplaced(block, param);
      return read;
    }
  }
}

/** Text, an image, a document or a search result, which a user may send and a tool may return; null for any other block. */
function readInputBlock(block: JsonObject, param: string, warnings: Set<string>): ResultParts | null {
  switch (block['type']) {
    case 'text':
      return readTextBlock(block, param, warnings);
    case 'image':
      return [readImage(block, param, warnings)];
    case 'document':
      return readDocument(block, param, warnings);
    case 'search_result':
      return [readSearchResult(block, param, warnings)];
    default:
      return null;
  }
}

type ResultParts = ToolResultBlock['content'];

function readThinking(block: JsonObject, param: string): readonly ReasoningBlock[] {
  const text = requireText(block['thinking'], `${param}.thinking`);
  const value = block['signature'];
  const sealed = isAbsent(value) ? '' : requireText(value, `${param}.signature`);
  // A thought without a signature is useless to Anthropic, whatever its origin.
  const opened = sealed === '' ? { origin: UNKNOWN_REASONING, signature: null } : openSignature(sealed);
  if (text === '' && opened.signature === null) return [];
  return [{ type: 'reasoning', text, encrypted: null, ...opened }];
}

function readRedactedThinking(block: JsonObject, param: string): readonly ReasoningBlock[] {
  const { signature: encrypted, ...author } = openSignature(requireText(block['data'], `${param}.data`));
  return encrypted === null ? [] : [{ type: 'reasoning', text: '', signature: null, encrypted, ...author }];
}

/** The summary of what preceded it, which the caller may have left out for that reason. */
function readCompaction(block: JsonObject, param: string, warnings: Set<string>): readonly TextBlock[] {
  warnings.add('a compaction was sent as text');
  if (isAbsent(block['content'])) return [];
  const text = requireText(block['content'], `${param}.content`);
  return isBlank(text) ? [] : [{ type: 'text', text, cache: readCacheMark(block, param, warnings) }];
}

function leaveOut(block: JsonObject, param: string, warnings: Set<string>): readonly never[] {
  const { type } = block;
  if (!isServerSide(type)) throw misplaced(block, param);
  warnings.add('blocks of server tools in earlier turns were left out');
  return [];
}

function misplaced(block: JsonObject, param: string): Error {
  if (typeof block['type'] !== 'string') requireText(block['type'], `${param}.type`);
  return invalid(`${param}.type`, `A block of type "${quotable(block['type'])}" is not allowed here.`);
}
