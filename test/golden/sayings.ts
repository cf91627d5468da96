/** What a request says, and whether a body in some format says it too. */
import type { ChatRequest, Json, ReasoningBlock, Turn } from '../../src/chat/request.ts';
import type { NamedTarget } from './targets.ts';
import type { Written } from './translate.ts';

interface Saying {
  readonly what: string;
  readonly value: string;
  /** A warning that reports its loss. */
  readonly reportedBy: RegExp;
}

/** What is neither in the body nor in a warning that is about it. */
export function missingSayings(
  request: ChatRequest,
  { body, warnings, stop }: Written,
  target: NamedTarget,
): readonly string[] {
  const texts = [...textsIn(body), ...stop];
  return Array.from(sayingsOf(request, target))
    .filter(({ value }) => !texts.some((text) => text.includes(value)))
    .filter(({ reportedBy }) => !warnings.some((warning) => reportedBy.test(warning)))
    .map(({ what, value }) => `${what} ${JSON.stringify(value.slice(0, 60))}`);
}

const NEVER = /(?!)/;
const THOUGHTS = /reasoning|thought|thinking/;

function* sayingsOf(request: ChatRequest, target: NamedTarget): Generator<Saying> {
  for (const { text } of request.system) yield said('instructions', text);
  for (const turn of request.turns) yield* saidIn(turn, target);
  // Tools that may not be called need not be sent.
  const tools = request.toolChoice?.type === 'none' ? [] : request.tools;
  for (const { name, description, schema } of tools) {
    yield said('a tool', name, /tool/);
    if (description !== null) yield said('a description', description, /tool/);
    for (const property of propertiesOf(schema)) yield said('an argument', property, /schema|tool/);
  }
  for (const stop of request.stop) if (stop.trim() !== '') yield said('a stop sequence', stop, /\bstop\b/);
  // A longer name is sent as its hash.
  if (request.user !== null && request.user.length <= 64) yield said('the user', request.user, /\buser|metadata/);
  if (request.format?.type === 'json_schema') {
    for (const property of propertiesOf(request.format.schema)) yield said('a field of the answer', property, /schema/);
  }
}

function* saidIn({ blocks }: Turn, target: NamedTarget): Generator<Saying> {
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
      case 'refusal':
        yield said('a text', block.text.trim());
        break;
      case 'image':
      case 'video':
      case 'document':
        yield saidMedia(block.source);
        break;
      case 'audio':
        yield said('speech', block.data);
        break;
      case 'tool_call':
        yield said('a call', block.name);
        for (const value of textsIn(block.input)) yield said('an argument', value);
        break;
      case 'tool_result':
        for (const part of block.content) {
          yield part.type === 'text' ? said('a result', part.text) : saidMedia(part.source);
        }
        break;
      case 'reasoning':
        yield* saidOpaque(block, target);
    }
  }
}

/** A vendor's opaque value must come back to that vendor alone. */
function* saidOpaque({ signature, encrypted, origin }: ReasoningBlock, target: NamedTarget): Generator<Saying> {
  const opaque = signature ?? encrypted;
  if (opaque === null) return;
  yield said('an opaque thought', opaque, target.takesBack === origin ? /thinking was left off/ : THOUGHTS);
}

function saidMedia(source: { readonly type: string } & Partial<Record<'data' | 'url' | 'text', string>>): Saying {
  return said(`a medium (${source.type})`, source.data ?? source.url ?? source.text ?? '');
}

function said(what: string, value: string, reportedBy = NEVER): Saying {
  return { what, value, reportedBy };
}

/** Names of a schema's properties, at the root. */
function propertiesOf(schema: { readonly [name: string]: Json }): readonly string[] {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

/** Every string and every name, also of JSON inside a string. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value;
    if (/^[[{]/.test(value)) yield* textsIn(parsed(value));
    // A document that is text may be sent as bytes, or in a data URI.
    const [, encoded] = BASE_64.exec(value) ?? [];
    if (encoded !== undefined) yield Buffer.from(encoded, 'base64').toString();
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name;
    yield* textsIn(inner);
  }
}

const BASE_64 = /^(?:data:text\/[^,]*;base64,)?((?:[\w+/]{4})+(?:[\w+/]{2}==|[\w+/]{3}=)?)$/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
