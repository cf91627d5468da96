/**
 * Leaves `web_search` out of a request that no balance could pay for, because nothing limits how often it is used. Clients send the tool with
 * every request, wanted or not (Codex, by default), and the model can answer without it.
 *
 * https://platform.openai.com/docs/guides/tools-web-search
 */
import { asObject } from '../../../core/json-object.ts';
import { type ArrayItem, itemsOf, removeItems } from '../../../wire/array-items.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { type Edit, removeFields } from '../../../wire/json-splice.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { lastValue } from '../../kit/relay/last-value.ts';
import { routingFields } from '../../kit/relay/routing-fields.ts';
import { readsBeyondBody } from './peek.ts';
import { listOf, present } from './peeked-fields.ts';
import { choosesServerTool, isSearchTool, PARSED_BYTES_MAX } from './server-tools.ts';

/**
 * What the gateway knows of the same request without the search, with the edits that remove it. Null if something else is unlimited, too, if
 * the caller insists on the search (`tool_choice`), or if it is where it cannot be removed.
 */
export function withoutSearch({ document }: Inbound, peek: Peek): Peek | null {
  const { serverTools, limitsToolsTogether: _, ...rest } = peek;
  if (peek.serverToolUses !== 'unbounded' || serverTools?.length !== 1 || serverTools[0] !== 'web_search') return null;
  const searchRemovals = removalsIn(document);
  if (searchRemovals === null) return null;
  return { ...rest, serverToolUses: 0, promptUnbounded: readsBeyondBody(rest, false), searchRemovals };
}

function removalsIn(document: JsonDocument): readonly Edit[] | null {
  const added = removalsInItems(document);
  if (added === null) return null;
  const tools = listOf(document, 'tools');
  const items = tools === null ? [] : toolsIn(document, tools);
  const isSearch = searchesIn(document, items);
  const isEmptied = tools !== null && items.every(isSearch);
  const isToolLeft = added.isToolLeft || items.some((item) => !isSearch(item));
  const choice = removalsInChoice(document, isToolLeft);
  if (choice === null) return null;
  const emptied = isToolLeft ? ONLY_TOOLS : ALL_ABOUT_TOOLS;
  const fields = isEmptied ? emptied.flatMap((name) => document.fields.get(name) ?? []) : [];
  // All that is removed from one object is removed together.
  const removed = removeFields(document, [...fields, ...routingFields(document)]);
  return [
    ...added.edits,
    ...removed,
    ...(isEmptied ? [] : removeItems(items, isSearch)),
    ...choice,
    ...removalsInInclude(document),
  ];
}

const ONLY_TOOLS = ['tools'];
/** Without tools, some providers refuse what is said about their use. */
const ALL_ABOUT_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls'];

interface ItemRemovals {
  readonly edits: readonly Edit[];
  /** Whether items add other tools. */
  readonly isToolLeft: boolean;
}

/** From the tools that items of the input add. Null if an item would add none any more, or is not known to add tools. */
function removalsInItems(document: JsonDocument): ItemRemovals | null {
  const { bytes, watched } = document;
  const edits: Edit[] = [];
  let isToolLeft = false;
  let lastStart = -1;
  for (const field of watched) {
    if (field.path !== 'input[].tools' || field.type === 'null') continue;
    // Of two fields of one name, some servers use the first, others the last.
    if (field.objectStart === lastStart) return null;
    lastStart = field.objectStart;
    const items = toolsIn(document, field);
    const isSearch = searchesIn(document, items);
    if (items.some(isSearch)) {
      const type = lastValue(bytes, field.objectStart, bytes.length, TYPE);
      if (type === null || bytes.toString('latin1', type.start, type.end) !== ADDED_TOOLS) return null;
      if (items.every(isSearch)) return null;
      edits.push(...removeItems(items, isSearch));
    }
    isToolLeft = true;
  }
  return { edits, isToolLeft };
}

const TYPE = Buffer.from('"type"');
const ADDED_TOOLS = '"additional_tools"';

/**
 * From a choice among allowed tools. Null if the caller insists on a search: it chooses it, allows nothing else, or requires a tool where
 * there is no other.
 */
function removalsInChoice(document: JsonDocument, isToolLeft: boolean): readonly Edit[] | null {
  const choice = present(document, 'tool_choice');
  if (choice === null) return [];
  if (choosesServerTool(document, choice)) return null;
  const value = choice.type === 'object' ? asObject(readValue(document, choice)) : null;
  const type = value === null ? readValue(document, choice) : value['type'];
  if (!isToolLeft) return type === 'auto' || type === 'none' ? [] : null;
  if (type !== 'allowed_tools') return [];
  const place = lastValue(document.bytes, choice.valueStart, choice.valueEnd, TOOLS);
  if (place === null || !Array.isArray(value?.['tools'])) return null;
  const allowed = itemsOf(document.bytes, { valueStart: place.start, valueEnd: place.end });
  const isSearch = searchesIn(document, allowed);
  return allowed.length > 0 && allowed.every(isSearch) ? null : removeItems(allowed, isSearch);
}

const TOOLS = Buffer.from('"tools"');

/** What the caller wants to see of searches; no provider has to accept that without the tool. */
function removalsInInclude(document: JsonDocument): readonly Edit[] {
  const include = document.fields.get('include');
  if (include?.type !== 'array' || include.valueEnd - include.valueStart > INCLUDE_BYTES_MAX) return [];
  return removeItems(itemsOf(document.bytes, include), (item) => {
    const name = parsed(document, item);
    return typeof name === 'string' && name.startsWith('web_search_call.');
  });
}

/** The names that there are take a tenth of this. */
const INCLUDE_BYTES_MAX = 16 * 1024;

/** The tools of a list that is not too large to have been judged one by one. A larger one has only functions: it stays as it is. */
function toolsIn({ bytes }: JsonDocument, field: JsonField): readonly ArrayItem[] {
  if (field.type === 'array' && field.valueEnd - field.valueStart <= PARSED_BYTES_MAX) return itemsOf(bytes, field);
  return [{ start: field.valueStart, end: field.valueEnd }];
}

/** Whether each of these is a search; each is parsed once. */
function searchesIn(document: JsonDocument, items: readonly ArrayItem[]): (item: ArrayItem) => boolean {
  const searches = new Set(items.filter((item) => isLikeSearch(document, item)));
  return (item) => searches.has(item);
}

function isLikeSearch(document: JsonDocument, item: ArrayItem): boolean {
  return item.end - item.start <= PARSED_BYTES_MAX && isSearchTool(parsed(document, item));
}

function parsed(document: JsonDocument, { start, end }: ArrayItem): unknown {
  return readValue(document, { keyStart: start, valueStart: start, valueEnd: end, type: 'object' });
}
