/**
 * Reads tools and the tool choice, in the current and the deprecated form (`functions`, `function_call`).
 *
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools
 */
import type { CustomInput, JsonObject, Tool, ToolChoice } from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { customTool } from '../../kit/request/custom-tools.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { readParameters } from '../../kit/request/read-parameters.ts';
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
  if (!isAbsent(body['tool_choice'])) {
    if (tools.length > 0 && !isAbsent(body['function_call']))
      warnings.add('function_call was left out: tool_choice is used instead');
    return readChoice(body['tool_choice'], 'tool_choice', tools, warnings);
  }
  if (!isAbsent(body['function_call'])) return readChoice(body['function_call'], 'function_call', tools, warnings);
  return { tools, toolChoice: null };
}

function readTool(value: unknown, path: string, warnings: Set<string>): Tool {
  const tool = readObject(value, path);
  // Some vendors accept a function without a type, and their clients rely on it.
  const type = isAbsent(tool['type']) ? 'function' : readName(tool['type'], `${path}.type`);
  const cache = readCacheMark(tool, `${path}.`, warnings);
  warnOfUnknown(tool, KNOWN_FIELDS.of(type), 'tools[].', warnings);
  if (type === 'custom')
    return readCustomTool(readObject(tool['custom'], `${path}.custom`), `${path}.custom`, cache, warnings);
  if (type !== 'function') {
    throw unsupported(
      `${path}.type`,
      `"${path}" is a tool that the provider of this model cannot run; only functions can be passed on.`,
    );
  }
  const definition = readObject(tool['function'], `${path}.function`);
  const mark = cache ?? readCacheMark(definition, `${path}.function.`, warnings);
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

const KNOWN_FIELDS = fieldsByType(['type', 'cache_control', 'prompt_cache_breakpoint'], {
  function: ['function'],
  custom: ['custom'],
});
const KNOWN_IN_FUNCTION: ReadonlySet<string> = new Set([
  ...['name', 'description', 'parameters', 'strict', 'cache_control', 'prompt_cache_breakpoint'],
]);

function functionTool(definition: JsonObject, path: string, cache: Tool['cache'], warnings: Set<string>): Tool {
  warnOfUnknown(definition, KNOWN_IN_FUNCTION, 'tools[].function.', warnings);
  return {
    name: readName(definition['name'], `${path}.name`),
    description: readTextOrNull(definition['description'], `${path}.description`) || null,
    schema: readParameters(definition['parameters'], `${path}.parameters`),
    strict: readFlagOrNull(definition['strict'], `${path}.strict`),
    cache,
  };
}

const KNOWN_IN_CUSTOM: ReadonlySet<string> = new Set(['name', 'description', 'format']);
const KNOWN_IN_FORMAT: ReadonlySet<string> = new Set(['type', 'grammar']);
const KNOWN_IN_GRAMMAR: ReadonlySet<string> = new Set(['syntax', 'definition']);

function readCustomTool(custom: JsonObject, path: string, cache: Tool['cache'], warnings: Set<string>): Tool {
  warnOfUnknown(custom, KNOWN_IN_CUSTOM, 'tools[].custom.', warnings);
  const name = readName(custom['name'], `${path}.name`);
  const description = readTextOrNull(custom['description'], `${path}.description`) || null;
  return customTool({ name, description, grammar: readGrammar(custom['format'], `${path}.format`, warnings), cache });
}

/** `{type: "text"}`, or `{type: "grammar", grammar: {syntax, definition}}`. */
function readGrammar(value: unknown, path: string, warnings: Set<string>): CustomInput['grammar'] {
  if (isAbsent(value)) return null;
  const format = readObject(value, path);
  warnOfUnknown(format, KNOWN_IN_FORMAT, 'tools[].custom.format.', warnings);
  if (readWord(format['type'], `${path}.type`, ['text', 'grammar']) === 'text') return null;
  const grammar = readObject(format['grammar'], `${path}.grammar`);
  warnOfUnknown(grammar, KNOWN_IN_GRAMMAR, 'tools[].custom.format.grammar.', warnings);
  return {
    syntax: readWord(grammar['syntax'], `${path}.grammar.syntax`, ['lark', 'regex']),
    definition: readText(grammar['definition'], `${path}.grammar.definition`),
  };
}

/** A choice without a type is the deprecated one of a function. */
const KNOWN_IN_CHOICE = fieldsByType(['type', 'name'], {
  function: ['function'],
  custom: ['custom'],
  allowed_tools: ['allowed_tools'],
});
const KNOWN_IN_ALLOWED: ReadonlySet<string> = new Set(['mode', 'tools']);
const KNOWN_IN_NAMED: ReadonlySet<string> = new Set(['name']);
const CHOICES = ['none', 'auto', 'required', 'any'] as const;

function readChoice(value: unknown, path: string, tools: readonly Tool[], warnings: Set<string>): ToolUse {
  const choice = isRecord(value) ? value : null;
  const word = choice === null ? value : choice['type'];
  if (choice !== null) warnOfUnknown(choice, KNOWN_IN_CHOICE.of(word), `${path}.`, warnings);
  if (choice === null || (CHOICES as readonly unknown[]).includes(word)) {
    const known = readWord(word, path, CHOICES);
    // Mistral's name for `required`.
    const type = known === 'any' ? 'required' : known;
    if (tools.length > 0) return { tools, toolChoice: { type } };
    if (type === 'required') throw invalid(path, `"${path}" asks for a tool, but there are no tools.`);
    return { tools, toolChoice: null };
  }
  if (word === 'allowed_tools') return readAllowed(choice, path, tools, warnings);
  const name = nameOf(choice, path, warnings);
  requireTool(name, path, new Set(tools.map((tool) => tool.name)));
  return { tools, toolChoice: { type: 'tool', name } };
}

/** Only some of the tools may be called now: the others are not shown to the model at all. */
function readAllowed(choice: JsonObject, path: string, tools: readonly Tool[], warnings: Set<string>): ToolUse {
  const at = `${path}.allowed_tools`;
  const allowed = readObject(choice['allowed_tools'], at);
  warnOfUnknown(allowed, KNOWN_IN_ALLOWED, `${at}.`, warnings);
  const mode = isAbsent(allowed['mode']) ? 'auto' : readWord(allowed['mode'], `${at}.mode`, ['auto', 'required']);
  const known = new Set(tools.map(({ name }) => name));
  const names = new Set<string>();
  readListOrEmpty(allowed['tools'], `${at}.tools`).forEach((value, index) => {
    const tool = readObject(value, `${at}.tools[${index}]`);
    warnOfUnknown(tool, KNOWN_IN_CHOICE.of(tool['type']), `${at}.tools[].`, warnings);
    const name = nameOf(tool, `${at}.tools[${index}]`, warnings);
    requireTool(name, `${at}.tools[${index}]`, known);
    names.add(name);
  });
  if (names.size === 0) throw invalid(`${at}.tools`, `"${at}.tools" must name at least one tool.`);
  return { tools: tools.filter(({ name }) => names.has(name)), toolChoice: { type: mode } };
}

/** `{type, function: {name}}`, `{type, custom: {name}}`, or the deprecated `{name}`. */
function nameOf(choice: JsonObject, path: string, warnings: Set<string>): string {
  for (const kind of ['function', 'custom']) {
    if (isAbsent(choice[kind])) continue;
    const named = readObject(choice[kind], `${path}.${kind}`);
    warnOfUnknown(named, KNOWN_IN_NAMED, 'tool_choice.', warnings);
    return readName(named['name'], `${path}.${kind}.name`);
  }
  return readName(choice['name'], `${path}.name`);
}

function requireTool(name: string, path: string, known: ReadonlySet<string>): void {
  if (!known.has(name)) throw invalid(path, `"${path}" names a tool that is not in "tools".`);
}
