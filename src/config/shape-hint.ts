/** Shows by example how to write a group of fields or a list, if a file has something else in its place. */

import { isObject } from '../core/json-object.ts';
import { serverDialects } from '../dialects/index.ts';
import { fieldsAt, kindsAt, type Path, pathText } from './options.ts';

const [FIRST] = serverDialects;
/** The field that identifies an entry, with an example, where that is not the first field. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'providers[]': 'name: lab',
  'providers[].models[]': 'upstream: the-providers-name',
  'providers[].models[].prices.tiers[]': 'abovePromptTokens: 200000',
  'providers[].models[].prices': 'input: 0.15',
  'providers[].chatPaths': `${FIRST?.name}: ${FIRST?.usualPaths?.chat}`,
};

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** `; write each as "- name: lab"`, the end of a sentence; empty for single values. A value is never repeated. */
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
  return `; write it as "${isItem ? '- ' : ''}${exampleOf(path)}", one line per field`;
}

/** In a group that should be a list, the name of an entry precedes its fields. */
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
