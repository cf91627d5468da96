/** By example, how a group of fields or a list is written where a file has something else in its place. */

import { isObject } from '../core/json-object.ts';
import { serverDialects } from '../dialects/index.ts';
import { fieldsAt, kindsAt, type Path, pathText } from './options.ts';

const [FIRST] = serverDialects;
/** Where the first field says the least, the one that an entry is known by, and an example of it. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'providers[]': 'name: lab',
  'providers[].models[]': 'upstream: the-providers-name',
  'providers[].models[].prices.tiers[]': 'abovePromptTokens: 200000',
  'providers[].models[].prices': 'input: 0.15',
  'providers[].chatPaths': `${FIRST?.name}: ${FIRST?.usualPaths?.chat}`,
};

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** `; write each as "- name: lab"`, the end of a sentence; nothing where a single value belongs. A value is never repeated. */
export function shapeHint(path: Path, value: unknown): string {
  if (value === undefined) return '';
  const kinds = kindsAt(path);
  if (kinds.has('list') && !Array.isArray(value)) {
    const item = [...path, 0];
    if (fieldsAt(item).length === 0) return '; write it as [one, another]';
    return `; write each entry as "- ${nameOf(item, value) ?? exampleOf(item)}"`;
  }
  if (!kinds.has('object') || isObject(value)) return '';
  const isItem = typeof path.at(-1) === 'number';
  return `; write it as "${isItem ? '- ' : ''}${exampleOf(path)}", a line for each field`;
}

/** In a group that should be a list, what an entry is called stands before its fields. */
function nameOf(item: Path, value: unknown): string | null {
  const [first] = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const field = /^\w+/.exec(exampleOf(item))?.[0];
  if (first === undefined || !NAME.test(first) || field === first || fieldsAt(item).includes(first)) return null;
  return `${field}: ${first}`;
}

function exampleOf(path: Path): string {
  const place = pathText(path).replace(/\[\d+\]/g, '[]');
  return EXAMPLES[place] ?? `${fieldsAt(path)[0]}: …`;
}
