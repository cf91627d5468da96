/**
 * Reads tools and the tool choice, in the current and the deprecated form (`functions`, `function_call`).
 *
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools
 */
import type { CustomInput, JsonObject, Tool, ToolChoice } from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { customTool } from '../../kit/request/custom-tools.ts';
import {
  isAbsent,
  isRecord,
  readFlagOrNull,
  readListOrEmpty,
  readName,
  readObject,
  readText,
  readTextOrNull,
  readWord,
} from '../../kit/request/request-values.ts';
import { readCacheMark } from './read-cache-mark.ts';
import { warnOfUnknown } from './unknown-fields.ts';

export interface ToolUse {
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice | null;
}

export function readTools(body: JsonObject, warnings: Set<string>): ToolUse {
  const tools = [
    ...readListOrEmpty(body['tools'], 'tools').map((tool, index) => readTool(tool, `tools[${index}]`, warnings)),
    ...readListOrEmpty(body['functions'], 'functions').map((value, index) => {
      const path = `functions[${index}]`;
      const definition = readObject(value, path);
      return functionTool(definition, path, null, warnings);
    }),
  ];
  refuseRepeatedNames(tools, body);
  if (!isAbsent(body['tool_choice'])) return readChoice(body['tool_choice'], 'tool_choice', tools);
  if (!isAbsent(body['function_call'])) return readChoice(body['function_call'], 'function_call', tools);
  return { tools, toolChoice: null };
}

function readTool(value: unknown, path: string, warnings: Set<string>): Tool {
  const tool = readObject(value, path);
  // Some vendors accept a function without a type, and their clients rely on it.
  const type = isAbsent(tool['type']) ? 'function' : readName(tool['type'], `${path}.type`);
  const cache = readCacheMark(tool, `${path}.`);
  if (type === 'custom') return readCustomTool(readObject(tool['custom'], `${path}.custom`), `${path}.custom`, cache);
  if (type !== 'function') {
    throw unsupported(
      `${path}.type`,
      `"${path}" is a tool that the provider of this model cannot run; only functions can be passed on.`,
    );
  }
  const definition = readObject(tool['function'], `${path}.function`);
  warnOfUnknown(tool, KNOWN_FIELDS, 'tools[].', warnings);
  const mark = cache ?? readCacheMark(definition, `${path}.function.`);
  return functionTool(definition, `${path}.function`, mark, warnings);
}

/** Two tools of one name could not be distinguished in a call. `functions` come after `tools`. */
function refuseRepeatedNames(tools: readonly Tool[], body: JsonObject): void {
  const names = new Set<string>();
  const listed = readListOrEmpty(body['tools'], 'tools').length;
  tools.forEach(({ name }, index) => {
    const param = index < listed ? `tools[${index}]` : `functions[${index - listed}]`;
    if (names.has(name)) throw invalid(param, `"${param}" has the name of an earlier tool.`);
    names.add(name);
  });
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['type', 'function', 'cache_control', 'prompt_cache_breakpoint']);
const KNOWN_IN_FUNCTION: ReadonlySet<string> = new Set([
  ...['name', 'description', 'parameters', 'strict', 'cache_control', 'prompt_cache_breakpoint'],
]);

function functionTool(definition: JsonObject, path: string, cache: Tool['cache'], warnings: Set<string>): Tool {
  warnOfUnknown(definition, KNOWN_IN_FUNCTION, 'tools[].function.', warnings);
  return {
    name: readName(definition['name'], `${path}.name`),
    description: readTextOrNull(definition['description'], `${path}.description`) || null,
    schema: readSchema(definition['parameters'], `${path}.parameters`),
    strict: readFlagOrNull(definition['strict'], `${path}.strict`),
    cache,
  };
}

function readCustomTool(custom: JsonObject, path: string, cache: Tool['cache']): Tool {
  const name = readName(custom['name'], `${path}.name`);
  const description = readTextOrNull(custom['description'], `${path}.description`) || null;
  return customTool({ name, description, grammar: readGrammar(custom['format'], `${path}.format`), cache });
}

/** `{type: "text"}`, or `{type: "grammar", grammar: {syntax, definition}}`. */
function readGrammar(value: unknown, path: string): CustomInput['grammar'] {
  if (isAbsent(value)) return null;
  const format = readObject(value, path);
  if (readWord(format['type'], `${path}.type`, ['text', 'grammar']) === 'text') return null;
  const grammar = readObject(format['grammar'], `${path}.grammar`);
  return {
    syntax: readWord(grammar['syntax'], `${path}.grammar.syntax`, ['lark', 'regex']),
    definition: readText(grammar['definition'], `${path}.grammar.definition`),
  };
}

/** Callers leave out `type` or write it as a list; the root must be an object nevertheless. */
function readSchema(value: unknown, path: string): JsonObject {
  if (isAbsent(value)) return { type: 'object', properties: {} };
  const schema = readObject(value, path);
  const { type } = schema;
  if (type === 'object') return schema;
  if (isAbsent(type) || (Array.isArray(type) && type.includes('object'))) return { ...schema, type: 'object' };
  throw invalid(`${path}.type`, `"${path}.type" must be "object".`);
}

const CHOICES = ['none', 'auto', 'required', 'any'] as const;

function readChoice(value: unknown, path: string, tools: readonly Tool[]): ToolUse {
  const choice = isRecord(value) ? value : null;
  const word = choice === null ? value : choice['type'];
  if (choice === null || (CHOICES as readonly unknown[]).includes(word)) {
    const known = readWord(word, path, CHOICES);
    // Mistral's name for `required`.
    const type = known === 'any' ? 'required' : known;
    if (tools.length > 0) return { tools, toolChoice: { type } };
    if (type === 'required') throw invalid(path, `"${path}" asks for a tool, but there are no tools.`);
    return { tools, toolChoice: null };
  }
  if (word === 'allowed_tools') return readAllowed(choice, path, tools);
  const name = nameOf(choice, path);
  requireTool(name, path, new Set(tools.map((tool) => tool.name)));
  return { tools, toolChoice: { type: 'tool', name } };
}

/** Only some of the tools may be called now: the others are not shown to the model at all. */
function readAllowed(choice: JsonObject, path: string, tools: readonly Tool[]): ToolUse {
  const at = `${path}.allowed_tools`;
  const allowed = readObject(choice['allowed_tools'], at);
  const mode = isAbsent(allowed['mode']) ? 'auto' : readWord(allowed['mode'], `${at}.mode`, ['auto', 'required']);
  const known = new Set(tools.map(({ name }) => name));
  const names = new Set<string>();
  readListOrEmpty(allowed['tools'], `${at}.tools`).forEach((value, index) => {
    const name = nameOf(readObject(value, `${at}.tools[${index}]`), `${at}.tools[${index}]`);
    requireTool(name, `${at}.tools[${index}]`, known);
    names.add(name);
  });
  if (names.size === 0) throw invalid(`${at}.tools`, `"${at}.tools" must name at least one tool.`);
  return { tools: tools.filter(({ name }) => names.has(name)), toolChoice: { type: mode } };
}

/** `{type, function: {name}}`, `{type, custom: {name}}`, or the deprecated `{name}`. */
function nameOf(choice: JsonObject, path: string): string {
  for (const kind of ['function', 'custom']) {
    if (!isAbsent(choice[kind]))
      return readName(readObject(choice[kind], `${path}.${kind}`)['name'], `${path}.${kind}.name`);
  }
  return readName(choice['name'], `${path}.name`);
}

function requireTool(name: string, path: string, known: ReadonlySet<string>): void {
  if (!known.has(name)) throw invalid(path, `"${path}" names a tool that is not in "tools".`);
}
