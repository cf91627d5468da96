/**
 * Reads tools and how they are to be used. Only functions can be passed to other vendors; Google runs the rest itself.
 *
 * https://ai.google.dev/api/caching#Tool, https://ai.google.dev/api/caching#ToolConfig
 */
import type { Json, JsonObject, Tool, ToolChoice } from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import {
  isAbsent,
  readListOrEmpty,
  readName,
  readObject,
  readText,
  readTextOrNull,
} from '../../kit/request/request-values.ts';
import { fieldOf } from '../field-names.ts';
import { listOf } from './read-content.ts';
import { readSchema } from './read-schema.ts';
import { knownFields, leftOut, quotable, warnOfUnknown } from './unknown-fields.ts';

export interface ToolUse {
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice | null;
}

/** Throws `GatewayError` 400 for a tool that Google runs, and for one that cannot be read. */
export function readTools(body: JsonObject, warnings: Set<string>): ToolUse {
  const tools = listOf(body['tools'], 'tools').flatMap((tool, index) => readTool(tool, `tools[${index}]`, warnings));
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw invalid('tools', `"tools" has two functions of the name "${quotable(name)}".`);
    names.add(name);
  }
  return readChoice(fieldOf(body, 'toolConfig', ''), tools, warnings);
}

const FUNCTIONS = knownFields(['functionDeclarations']);

function readTool(tool: JsonObject, path: string, warnings: Set<string>): readonly Tool[] {
  for (const [name, value] of Object.entries(tool)) {
    if (FUNCTIONS.has(name) || isAbsent(value)) continue;
    throw unsupported(
      `${path}.${quotable(name)}`,
      `"${quotable(name)}" is a tool that Google runs; the provider of this model cannot. Only functions can be passed on.`,
    );
  }
  const at = `${path}.functionDeclarations`;
  const declarations = fieldOf(tool, 'functionDeclarations', path);
  if (isAbsent(declarations)) warnings.add('an entry of tools without functionDeclarations was left out');
  return listOf(declarations, at).map((declaration, index) => readFunction(declaration, `${at}[${index}]`, warnings));
}

const KNOWN_IN_FUNCTION = knownFields(['name', 'description', 'parameters', 'parametersJsonSchema', 'behavior']);
const BLOCKING: ReadonlySet<unknown> = new Set([undefined, null, 'BLOCKING', 'UNSPECIFIED', 'BEHAVIOR_UNSPECIFIED']);

function readFunction(declaration: JsonObject, path: string, warnings: Set<string>): Tool {
  warnOfUnknown(declaration, KNOWN_IN_FUNCTION, 'functionDeclarations[].', warnings);
  if (!BLOCKING.has(declaration['behavior'])) warnings.add(leftOut('functionDeclarations[].behavior'));
  const { parameters } = declaration;
  const schema = fieldOf(declaration, 'parametersJsonSchema', path);
  if (!isAbsent(parameters) && !isAbsent(schema))
    throw invalid(path, `"${path}" must have "parameters" or "parametersJsonSchema", not both.`);
  return {
    name: readName(declaration['name'], `${path}.name`),
    description: readTextOrNull(declaration['description'], `${path}.description`) || null,
    schema: isAbsent(schema)
      ? rootOf(
          isAbsent(parameters) ? {} : readSchema(readObject(parameters, `${path}.parameters`)),
          `${path}.parameters`,
        )
      : rootOf(readObject(schema, `${path}.parametersJsonSchema`), `${path}.parametersJsonSchema`),
    strict: null,
    cache: null,
  };
}

/** The root of a schema is an object; callers leave its type out, or write it as a list. */
function rootOf(schema: JsonObject, path: string): JsonObject {
  const { type } = schema;
  if (type === 'object') return schema;
  if (isAbsent(type) || (Array.isArray(type) && type.includes('object')))
    return { ...(isAbsent(schema['properties']) && { properties: {} }), ...schema, type: 'object' };
  throw invalid(`${path}.type`, `"${path}.type" must be "object".`);
}

const PATH = 'toolConfig.functionCallingConfig';
const KNOWN_IN_CONFIG = knownFields(['functionCallingConfig']);
const KNOWN_IN_CALLING = knownFields(['mode', 'allowedFunctionNames']);

function readChoice(value: Json | undefined, tools: readonly Tool[], warnings: Set<string>): ToolUse {
  if (isAbsent(value)) return { tools, toolChoice: null };
  const config = readObject(value, 'toolConfig');
  warnOfUnknown(config, KNOWN_IN_CONFIG, 'toolConfig.', warnings);
  const given = fieldOf(config, 'functionCallingConfig', 'toolConfig');
  if (isAbsent(given)) return { tools, toolChoice: null };
  const calling = readObject(given, PATH);
  warnOfUnknown(calling, KNOWN_IN_CALLING, `${PATH}.`, warnings);
  const mode = isAbsent(calling['mode']) ? 'AUTO' : readText(calling['mode'], `${PATH}.mode`).toUpperCase();
  const allowed = readAllowed(calling, tools);
  switch (mode) {
    case 'AUTO':
    case 'MODE_UNSPECIFIED':
      if (allowed !== null)
        throw invalid(
          `${PATH}.allowedFunctionNames`,
          `"${PATH}.allowedFunctionNames" needs the mode ANY or VALIDATED.`,
        );
      return { tools, toolChoice: tools.length === 0 ? null : { type: 'auto' } };
    case 'NONE':
      return { tools, toolChoice: tools.length === 0 ? null : { type: 'none' } };
    case 'VALIDATED':
      warnings.add(`${PATH}.mode VALIDATED is not supported by this provider and was read as AUTO`);
      return { tools: only(tools, allowed), toolChoice: { type: 'auto' } };
    case 'ANY': {
      if (tools.length === 0) throw invalid(`${PATH}.mode`, `"${PATH}.mode" asks for a function, but there are none.`);
      const [name] = allowed ?? [];
      if (name !== undefined && allowed?.size === 1) return { tools, toolChoice: { type: 'tool', name } };
      return { tools: only(tools, allowed), toolChoice: { type: 'required' } };
    }
    default:
      throw invalid(`${PATH}.mode`, `"${PATH}.mode" must be AUTO, ANY, NONE or VALIDATED.`);
  }
}

/** Null if all are allowed. */
function readAllowed(calling: JsonObject, tools: readonly Tool[]): ReadonlySet<string> | null {
  const path = `${PATH}.allowedFunctionNames`;
  const listed = readListOrEmpty(fieldOf(calling, 'allowedFunctionNames', PATH), path);
  const known = new Set(tools.map(({ name }) => name));
  const names = listed.map((value, index) => {
    const name = readName(value, `${path}[${index}]`);
    if (!known.has(name))
      throw invalid(`${path}[${index}]`, `"${path}[${index}]" names a function that is not declared.`);
    return name;
  });
  return names.length === 0 ? null : new Set(names);
}

/** The others are not shown to the model at all. */
function only(tools: readonly Tool[], allowed: ReadonlySet<string> | null): readonly Tool[] {
  return allowed === null ? tools : tools.filter(({ name }) => allowed.has(name));
}
