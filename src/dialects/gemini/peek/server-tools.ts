/**
 * What the tools of a request mean for its price. Functions run at the caller, and the body bounds what they cost; with every other tool
 * Google searches, reads pages or runs code as often as the model wants, and reads the results as part of the prompt.
 *
 * https://ai.google.dev/api/caching#Tool
 */
import { GatewayError } from '../../../core/errors.ts';
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { isSpace } from '../../../wire/json-grammar.ts';
import { decodeName } from '../../../wire/json-names.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';
import { bothSpellings, snakeOf } from '../field-names.ts';
import { STORED } from './stored-data.ts';

export interface ToolCosts {
  /** How often those that run at the provider may be used: no field limits that. */
  readonly uses: 0 | 'unbounded';
  /** How many run at the caller but are only named: the provider adds their definitions. Known if `uses` is 0. */
  readonly named: number;
}

/** Tools that are refused, and why, as the end of a sentence. */
const REFUSED: Readonly<Record<string, string>> = {
  fileSearch: STORED,
  retrieval: STORED,
  mcpServers: 'it makes the provider call other servers, whose token use has no limit',
};
export const refusedTools: readonly string[] = Object.keys(REFUSED);

/** `tools` is an array of tools, or one tool. Throws 400 for refused ones, and for what is not a tool. */
export function toolCosts(document: JsonDocument, tools: JsonField): ToolCosts {
  const { bytes } = document;
  refuseManyValues(document, 'tools');
  const costs: Costs = { uses: 0, named: 0, fieldsLeft: FIELDS_MAX };
  const cursor = new FieldCursor();
  if (tools.type === 'object') {
    cursor.open(bytes, tools.valueStart, tools.valueEnd);
    addTool(costs, bytes, cursor);
    return costs;
  }
  if (tools.type !== 'array') throw invalid('tools', '"tools" must be an array.');
  let at = tools.valueStart + 1;
  while (at < tools.valueEnd - 1) {
    const byte = bytes[at] as number;
    if (isSpace(byte) || byte === COMMA) {
      at += 1;
      continue;
    }
    cursor.open(bytes, at, tools.valueEnd);
    addTool(costs, bytes, cursor);
    at = cursor.objectEnd;
  }
  return costs;
}

interface Costs {
  uses: ToolCosts['uses'];
  named: number;
  fieldsLeft: number;
}

/** A request has a handful of these objects, and each has one field. With this limit the walk is short, whatever the list contains. */
const FIELDS_MAX = 4096;
/** Longer than any name below with all of its letters escaped. */
const NAME_BYTES_MAX = 128;

function addTool(costs: Costs, bytes: Buffer, tool: FieldCursor): void {
  while (tool.next()) {
    costs.fieldsLeft -= 1;
    if (costs.fieldsLeft < 0) throw invalid('tools', '"tools" must have fewer entries.');
    if (bytes[tool.valueStart] === LETTER_N) continue;
    const name = nameAt(bytes, tool);
    if (FUNCTIONS.has(name)) continue;
    const refused = refusedTools.find((each) => each === name || snakeOf(each) === name);
    if (refused !== undefined) throw refusal(refused);
    // Its functions are the vendor's, but the caller runs them: https://ai.google.dev/gemini-api/docs/computer-use
    if (CALLERS.has(name)) costs.named += 1;
    else costs.uses = 'unbounded';
  }
  if (tool.broken) throw invalid('tools', '"tools" must be an array of objects.');
}

const FUNCTIONS: ReadonlySet<string> = new Set(bothSpellings(['functionDeclarations']));
const CALLERS: ReadonlySet<string> = new Set(bothSpellings(['computerUse']));

/** Decoded, because a provider reads an escaped name as what it means. Empty for a long one: it then counts as one of Google's tools. */
function nameAt(bytes: Buffer, { keyStart, keyEnd }: FieldCursor): string {
  return keyEnd - keyStart > NAME_BYTES_MAX ? '' : decodeName(bytes, keyStart + 1, keyEnd - 1);
}

function refusal(name: string): GatewayError {
  return new GatewayError('field_not_allowed', {
    message: `The tool "${name}" is not accepted by this gateway: ${REFUSED[name]}.`,
    param: `tools[].${name}`,
  });
}

const COMMA = 0x2c;
const LETTER_N = 0x6e;
