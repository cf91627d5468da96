/**
 * The neutral form as the fixtures and expected texts of this folder have it: without the fields that have their usual value. Both
 * functions are inverse to each other, so nothing is hidden.
 */

import type { AssistantBlock, ChatRequest, Json, JsonObject, Tool, Turn, UserBlock } from '../../src/chat/request.ts';
import { PLAIN_REQUEST } from '../../src/chat/request-fixture.ts';
import type { AnswerBlock, ChatResponse, Finish } from '../../src/chat/response.ts';
import { NO_USAGE, type Usage } from '../../src/core/usage.ts';

export function shortRequest(request: ChatRequest): object {
  const { system, turns, tools, ...fields } = request;
  return {
    ...(system.length > 0 && { system: system.map((block) => shortBlock(block, USUAL)) }),
    turns: turns.map(({ role, blocks }) => ({ role, blocks: blocks.map((block) => shortBlock(block, USUAL)) })),
    ...(tools.length > 0 && { tools: tools.map((tool) => without(tool, PLAIN_TOOL)) }),
    ...without(fields, PLAIN_REQUEST),
  };
}

export function fullRequest(short: JsonObject): ChatRequest {
  const { system = [], turns = [], tools = [] } = short;
  return {
    ...PLAIN_REQUEST,
    ...short,
    system: listOf(system).map((block) => fullBlock(block, USUAL)),
    turns: listOf(turns).map(({ role, blocks = [] }) => {
      return { role, blocks: listOf(blocks).map((block) => fullBlock(block, USUAL)) } as unknown as Turn;
    }),
    tools: listOf(tools).map((tool) => ({ ...PLAIN_TOOL, ...tool }) as unknown as Tool),
  } as ChatRequest;
}

export function shortResponse({ blocks, finish, usage, ...fields }: ChatResponse): object {
  return {
    ...without(fields, PLAIN_ANSWER),
    blocks: blocks.map((block) => shortBlock(block, USUAL_IN_ANSWERS)),
    finish: without(finish, PLAIN_FINISH),
    usage: usage === null ? null : shortUsage(usage),
  };
}

export function fullResponse(short: JsonObject): ChatResponse {
  const { blocks = [], finish, usage = null } = short;
  return {
    ...PLAIN_ANSWER,
    ...short,
    blocks: listOf(blocks).map((block) => fullBlock(block, USUAL_IN_ANSWERS)),
    finish: { ...PLAIN_FINISH, ...(finish as object) },
    usage: usage === null ? null : { ...NO_USAGE, ...(usage as object) },
  } as unknown as ChatResponse;
}

export function shortUsage(usage: Usage): object {
  return without(usage, NO_USAGE);
}

export function shortFinish(finish: Finish): object {
  return without(finish, PLAIN_FINISH);
}

/** A block as a reader promises it, from one without its usual values. */
function fullBlock(short: JsonObject, usual: UsualValues): never {
  const { type, content } = short;
  const inner = Array.isArray(content) ? { content: listOf(content).map((block) => fullBlock(block, usual)) } : {};
  return { ...usual[type as string], ...short, ...inner } as never;
}

function shortBlock(block: UserBlock | AssistantBlock | AnswerBlock, usual: UsualValues): object {
  const inner = 'content' in block ? { content: block.content.map((each) => shortBlock(each, usual)) } : {};
  return without({ ...block, ...inner }, usual[block.type] ?? {});
}

/** A copy without the fields that have the value given here. Nothing inside is touched: an argument may be null. */
function without(fields: object, usual: object): object {
  const values = new Map<string, unknown>(Object.entries(usual));
  const isUsual = (name: string, value: unknown) =>
    values.has(name) && JSON.stringify(values.get(name)) === JSON.stringify(value);
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isUsual(name, value)));
}

function listOf(value: Json | readonly unknown[]): readonly JsonObject[] {
  return value as readonly JsonObject[];
}

const PLAIN_TOOL = { description: null, strict: null, cache: null };
const PLAIN_ANSWER = { id: null, warnings: [] };
const PLAIN_FINISH = { stopSequence: null, native: null, explanation: null };

type UsualValues = Readonly<Record<string, object>>;

/** The usual values of each type of block. */
const USUAL: UsualValues = {
  text: { cache: null },
  image: { cache: null, detail: null },
  document: { cache: null, name: null, context: null, citations: false },
  audio: { cache: null },
  video: { cache: null },
  tool_call: { cache: null },
  tool_result: { cache: null, isError: false },
  reasoning: { signature: null, encrypted: null },
};

/** A text of an answer has citations, and no cache mark. */
const USUAL_IN_ANSWERS: UsualValues = { ...USUAL, text: { citations: [] } };
