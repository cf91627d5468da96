/**
 * The contents of a request as turns: what a caller sent in several pieces is joined, and every call is followed directly by its result, as
 * the neutral form promises.
 *
 * https://ai.google.dev/api/caching#Content
 */
import type { JsonObject, TextBlock, Turn, UserBlock } from '../../../chat/request.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { isAbsent, isBlank, readObject, readTextOrNull } from '../../kit/request/request-values.ts';
import { fieldOf } from '../field-names.ts';
import { listOf, type Placed, readModelParts, readPart } from './read-content.ts';
import { CallIds, OpenCalls } from './read-tool-results.ts';
import { knownFields, leftOut, warnOfUnknown } from './unknown-fields.ts';

/** Throws `GatewayError` 400 for a part that cannot be read, and for responses without a call. `path` is that of the contents. */
export function readMessages(value: unknown, path: string, warnings: Set<string>): readonly Turn[] {
  const ids = new CallIds();
  const turns: Turn[] = [];
  let calls = new OpenCalls(ids);
  const groups = groupsOf(value, path, warnings);
  groups.forEach(({ role, parts }, index) => {
    if (role === 'model') {
      const open = new OpenCalls(ids);
      const blocks = readModelParts(parts, (call) => open.add(call), warnings);
      calls = open;
      if (blocks.length > 0) turns.push({ role: 'assistant', blocks });
      return;
    }
    const blocks = readUserParts(parts, calls, warnings);
    const answered: readonly UserBlock[] = [...calls.results(warnings), ...blocks];
    calls = new OpenCalls(ids);
    // Without words the model would continue its own answer instead of writing a new one.
    if (answered.length === 0 && index === groups.length - 1)
      throw invalid(path, `"${path}" must end with a turn that says something.`);
    if (answered.length > 0) turns.push({ role: 'user', blocks: answered });
  });
  if (turns.length === 0) throw invalid(path, `"${path}" must hold something to answer.`);
  return joined(turns);
}

/** The instructions before the conversation. */
export function readSystem(value: unknown, warnings: Set<string>): readonly TextBlock[] {
  if (isAbsent(value)) return [];
  const path = 'systemInstruction';
  const content = readObject(value, path);
  warnOfUnknown(content, KNOWN, `${path}.`, warnings);
  return listOf(content['parts'], `${path}.parts`).flatMap((part, index): TextBlock[] => {
    const at = `${path}.parts[${index}]`;
    const read = readPart(part, at, warnings);
    if (read.type !== 'text') throw invalid(at, `"${at}" must be text.`);
    return isBlank(read.text) ? [] : [{ type: 'text', text: read.text, cache: null }];
  });
}

interface Group {
  readonly role: 'user' | 'model';
  readonly parts: Placed[];
}

const ROLES: ReadonlyMap<string, Group['role']> = new Map([
  ['', 'user'],
  ['user', 'user'],
  // The role of responses in older clients.
  ['function', 'user'],
  ['tool', 'user'],
  ['model', 'model'],
]);
const KNOWN = knownFields(['role', 'parts']);

/** Adjacent contents of one role are one turn. */
function groupsOf(value: unknown, path: string, warnings: Set<string>): readonly Group[] {
  const groups: Group[] = [];
  listOf(value, path).forEach((content, index) => {
    const at = `${path}[${index}]`;
    warnOfUnknown(content, KNOWN, 'contents[].', warnings);
    const role = ROLES.get((readTextOrNull(content['role'], `${at}.role`) ?? '').toLowerCase());
    if (role === undefined) throw invalid(`${at}.role`, `"${at}.role" must be "user" or "model".`);
    const last = groups.at(-1);
    const group: Group = last?.role === role ? last : { role, parts: [] };
    if (group !== last) groups.push(group);
    listOf(content['parts'], `${at}.parts`).forEach((part: JsonObject, place) => {
      group.parts.push([part, `${at}.parts[${place}]`]);
    });
  });
  return groups;
}

function readUserParts(parts: readonly Placed[], calls: OpenCalls, warnings: Set<string>): readonly UserBlock[] {
  const blocks: UserBlock[] = [];
  for (const [part, path] of parts) {
    const read = readPart(part, path, warnings);
    if (read.type === 'text' && read.isThought) warnings.add(leftOut('contents[].parts[].thought of a user'));
    if (!isAbsent(fieldOf(part, 'thoughtSignature', path)))
      warnings.add(leftOut('contents[].parts[].thoughtSignature of a user'));
    if (read.type === 'text' && !isBlank(read.text)) blocks.push({ type: 'text', text: read.text, cache: null });
    else if (read.type === 'media') blocks.push(read.block);
    else if (read.type === 'result') calls.answer(read.result);
    else if (read.type === 'call')
      throw invalid(path, `"${path}" is a function call, which belongs to a turn of the model.`);
  }
  return blocks;
}

/** Turns of one role become adjacent when one between them was empty. */
function joined(turns: readonly Turn[]): readonly Turn[] {
  const result: { readonly role: Turn['role']; readonly blocks: Turn['blocks'][number][] }[] = [];
  for (const { role, blocks } of turns) {
    const last = result.at(-1);
    // One by one: spreading a long turn would overflow the stack, and copying it each time would take long.
    if (last?.role === role) for (const block of blocks) last.blocks.push(block);
    else result.push({ role, blocks: [...blocks] });
  }
  return result as readonly Turn[];
}
