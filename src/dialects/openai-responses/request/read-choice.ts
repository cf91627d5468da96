/** Reads the tool choice: https://platform.openai.com/docs/api-reference/responses/create#responses-create-tool_choice */
import type { JsonObject, Tool, ToolChoice } from '../../../chat/request.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import {
  isAbsent,
  isRecord,
  readListOrEmpty,
  readName,
  readObject,
  readTextOrNull,
  readWord,
} from '../../kit/request/request-values.ts';
import { flatName } from './flat-name.ts';
import { cannotRun, type ToolKit } from './read-tools.ts';
import { warnOfUnknown } from './unknown-fields.ts';

export interface ToolUse {
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice | null;
}

/** The tools that may be called now, and the choice. */
export function readChoice(value: unknown, kit: ToolKit, warnings: Set<string>): ToolUse {
  const { tools } = kit;
  if (isAbsent(value)) return { tools, toolChoice: null };
  if (!isRecord(value)) return { tools, toolChoice: readMode(value, 'tool_choice', kit) };
  const type = readName(value['type'], 'tool_choice.type');
  warnOfUnknown(value, KNOWN_IN_CHOICE.of(type), 'tool_choice.', warnings);
  if (type === 'allowed_tools') return readAllowed(value, kit, warnings);
  if ((MODES as readonly string[]).includes(type))
    return { tools, toolChoice: readMode(type, 'tool_choice.type', kit) };
  return { tools, toolChoice: { type: 'tool', name: readTarget(value, type, 'tool_choice', kit) } };
}

const KNOWN_IN_CHOICE = fieldsByType(['type'], {
  'function|custom': ['name', 'namespace'],
  namespace: ['name'],
  allowed_tools: ['mode', 'tools'],
});
const MODES = ['none', 'auto', 'required'] as const;

/** Null without tools: other formats refuse a choice then. */
function readMode(value: unknown, path: string, { tools, leftOut }: ToolKit): ToolChoice | null {
  const type = readWord(value, path, MODES);
  if (tools.length > 0) return { type };
  if (type !== 'required') return null;
  const [left] = leftOut;
  if (left !== undefined) throw cannotRun(left, path);
  throw invalid(path, `"${path}" asks for a tool, but there are no tools.`);
}

/** Only some of the tools may be called now: the others are not shown to the model at all. */
function readAllowed(choice: JsonObject, kit: ToolKit, warnings: Set<string>): ToolUse {
  const path = 'tool_choice.tools';
  const mode = isAbsent(choice['mode']) ? 'auto' : readWord(choice['mode'], 'tool_choice.mode', ['auto', 'required']);
  const names = new Set<string>();
  readListOrEmpty(choice['tools'], path).forEach((value, index) => {
    const at = `${path}[${index}]`;
    const tool = readObject(value, at);
    const type = isAbsent(tool['type']) ? 'function' : readName(tool['type'], `${at}.type`);
    if (kit.leftOut.has(type)) return;
    warnOfUnknown(tool, KNOWN_IN_CHOICE.of(type), 'tool_choice.tools[].', warnings);
    if (type === 'namespace') for (const name of namesIn(tool, at, kit)) names.add(name);
    else names.add(readTarget(tool, type, at, kit));
  });
  if (names.size === 0) {
    if (mode === 'required') throw invalid(path, `"${path}" names no tool that can be used with this model.`);
    warnings.add('none of the tools that tool_choice allows can be used with this model');
  }
  const tools = kit.tools.filter(({ name }) => names.has(name));
  return { tools, toolChoice: tools.length === 0 ? null : { type: mode } };
}

function namesIn(choice: JsonObject, path: string, { origins }: ToolKit): readonly string[] {
  const namespace = readName(choice['name'], `${path}.name`);
  const names = [...origins].filter(([, origin]) => origin.namespace === namespace).map(([name]) => name);
  if (names.length === 0) throw notThere(path);
  return names;
}

/** The name of the tool that is chosen: a function or a custom tool, perhaps in a namespace. */
function readTarget(choice: JsonObject, type: string, path: string, { origins }: ToolKit): string {
  if (type !== 'function' && type !== 'custom') throw cannotRun(type, `${path}.type`);
  const own = readName(choice['name'], `${path}.name`);
  const name = flatName(readTextOrNull(choice['namespace'], `${path}.namespace`), own);
  if (!origins.has(name)) throw notThere(path);
  return name;
}

function notThere(path: string): Error {
  return invalid(path, `"${path}" names a tool that is not in "tools".`);
}
