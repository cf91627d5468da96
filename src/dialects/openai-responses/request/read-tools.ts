/**
 * Reads tools: functions, custom tools, and namespaces of both. A namespace is not known elsewhere: its tools get names that begin with its
 * own, and a call of one gets both names back.
 *
 * https://platform.openai.com/docs/api-reference/responses/create#responses-create-tools
 */
import type { CustomInput, JsonObject, Tool } from '../../../chat/request.ts';
import { asArray, isObject } from '../../../core/json-object.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { customTool } from '../../kit/request/custom-tools.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { readParameters } from '../../kit/request/read-parameters.ts';
import {
  isAbsent,
  readFlagOrNull,
  readList,
  readName,
  readObject,
  readText,
  readTextOrNull,
  readWord,
} from '../../kit/request/request-values.ts';
import { flatName } from './flat-name.ts';
import { quoted, warnOfUnknown } from './unknown-fields.ts';

/** The tools of a request. */
export interface ToolKit {
  readonly tools: readonly Tool[];
  /** Name in the neutral form → as the caller named it; for all tools. */
  readonly origins: ReadonlyMap<string, ToolOrigin>;
  /** Types of tools that were left out: the provider would have run them. */
  readonly leftOut: ReadonlySet<string>;
}

export interface ToolOrigin {
  readonly name: string;
  /** Null outside a namespace. */
  readonly namespace: string | null;
  readonly custom: boolean;
}

interface Placed {
  readonly tool: unknown;
  readonly path: string;
}

/** The tools that items add to those of the request: https://platform.openai.com/docs/guides/tools (additional tools) */
export function addedTools(input: unknown): readonly Placed[] {
  return asArray(input).flatMap((item, at) => {
    if (!isObject(item) || item['type'] !== 'additional_tools') return [];
    const path = `input[${at}].tools`;
    return readList(item['tools'], path).map((tool, index) => ({ tool, path: `${path}[${index}]` }));
  });
}

/** Throws `GatewayError` 400 for a tool that only a provider of this format can run. */
export function readTools(placed: readonly Placed[], warnings: Set<string>): ToolKit {
  const kit = new KitBuilder(warnings);
  for (const { tool, path } of placed) kit.add(readObject(tool, path), path);
  return kit;
}

class KitBuilder implements ToolKit {
  readonly tools: Tool[] = [];
  readonly origins = new Map<string, ToolOrigin>();
  readonly leftOut = new Set<string>();
  readonly #warnings: Set<string>;

  constructor(warnings: Set<string>) {
    this.#warnings = warnings;
  }

  add(tool: JsonObject, path: string): void {
    const type = isAbsent(tool['type']) ? 'function' : readName(tool['type'], `${path}.type`);
    if (type === 'namespace') this.#addNamespace(tool, path);
    else if (type === 'function' || type === 'custom') this.#addTool(tool, type, path, null);
    else if (LEFT_OUT.has(type)) this.#leaveOut(type);
    else throw cannotRun(type, `${path}.type`);
  }

  #leaveOut(type: string): void {
    this.leftOut.add(type);
    this.#warnings.add(`the tool ${quoted(type)} was left out: the provider of this model cannot run it`);
  }

  #addNamespace(namespace: JsonObject, path: string): void {
    warnOfUnknown(namespace, KNOWN_IN_NAMESPACE, 'tools[].', this.#warnings);
    const name = readName(namespace['name'], `${path}.name`);
    // Once, because a description may be long and tools many.
    let about = readTextOrNull(namespace['description'], `${path}.description`) || null;
    readList(namespace['tools'], `${path}.tools`).forEach((value, index) => {
      const at = `${path}.tools[${index}]`;
      const tool = readObject(value, at);
      const type = isAbsent(tool['type']) ? 'function' : readWord(tool['type'], `${at}.type`, ['function', 'custom']);
      this.#addTool(tool, type, at, { name, about });
      about = null;
    });
  }

  #addTool(tool: JsonObject, type: 'function' | 'custom', path: string, space: Namespace | null): void {
    const own = readName(tool['name'], `${path}.name`);
    const name = flatName(space?.name ?? null, own);
    // Two tools of one name could not be distinguished in a call.
    if (this.origins.has(name)) throw invalid(path, `"${path}" has the name of an earlier tool.`);
    this.origins.set(name, { name: own, namespace: space?.name ?? null, custom: type === 'custom' });
    const description = described(readTextOrNull(tool['description'], `${path}.description`) || null, space);
    this.tools.push(
      type === 'custom'
        ? readCustom({ name, description }, tool, path, this.#warnings)
        : readFunction({ name, description }, tool, path, this.#warnings),
    );
  }
}

interface Namespace {
  readonly name: string;
  readonly about: string | null;
}

type Named = Pick<Tool, 'name' | 'description'>;

/** What clients send with every request, wanted or not (Codex, by default); without it the same questions can be answered. */
const LEFT_OUT: ReadonlySet<string> = new Set(['web_search']);

const KNOWN_IN_NAMESPACE: ReadonlySet<string> = new Set(['type', 'name', 'description', 'tools']);
/** `defer_loading` saves tokens, and `allowed_callers` allows programs of the provider to call: without either the tool works the same. */
const KNOWN_IN_FUNCTION: ReadonlySet<string> = new Set([
  ...['type', 'name', 'description', 'parameters', 'strict', 'defer_loading', 'allowed_callers'],
]);
const KNOWN_IN_CUSTOM: ReadonlySet<string> = new Set([
  ...['type', 'name', 'description', 'format', 'defer_loading', 'allowed_callers'],
]);

const KNOWN_IN_FORMAT = fieldsByType(['type'], { grammar: ['syntax', 'definition'] });

function described(description: string | null, space: Namespace | null): string | null {
  if (space === null || space.about === null) return description;
  const about = `About the tools named ${flatName(space.name, '')}…: ${space.about}`;
  return description === null ? about : `${description}\n\n${about}`;
}

function readFunction(named: Named, tool: JsonObject, path: string, warnings: Set<string>): Tool {
  warnOfUnknown(tool, KNOWN_IN_FUNCTION, 'tools[].', warnings);
  return {
    ...named,
    schema: readParameters(tool['parameters'], `${path}.parameters`),
    strict: readFlagOrNull(tool['strict'], `${path}.strict`),
    cache: null,
  };
}

function readCustom(named: Named, tool: JsonObject, path: string, warnings: Set<string>): Tool {
  warnOfUnknown(tool, KNOWN_IN_CUSTOM, 'tools[].', warnings);
  return customTool({ ...named, grammar: readGrammar(tool['format'], `${path}.format`, warnings), cache: null });
}

/** `{type: "text"}`, or `{type: "grammar", syntax, definition}`. */
function readGrammar(value: unknown, path: string, warnings: Set<string>): CustomInput['grammar'] {
  if (isAbsent(value)) return null;
  const format = readObject(value, path);
  warnOfUnknown(format, KNOWN_IN_FORMAT.of(format['type']), 'tools[].format.', warnings);
  if (readWord(format['type'], `${path}.type`, ['text', 'grammar']) === 'text') return null;
  return {
    syntax: readWord(format['syntax'], `${path}.syntax`, ['lark', 'regex']),
    definition: readText(format['definition'], `${path}.definition`),
  };
}

export function cannotRun(type: string, param: string): Error {
  return unsupported(
    param,
    `The tool ${quoted(type)} cannot be used with this model: its provider is spoken to in another format. ` +
      'Leave it out, or choose a model of a provider that runs it.',
  );
}
