/** Schemas in words. */
import { type Document, resolve, type Schema } from './document.ts';

/** References can be circular. */
const DEPTH_MAX = 6;

/** `text`, `whole number or null`, `list of Key`. */
export function describeType(schema: Schema, document: Document, depth = 0): string {
  const { schema: found, name } = resolve(schema, document);
  if (name !== null) return name;
  if (depth > DEPTH_MAX) return '…';
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum !== undefined) return found.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = found.anyOf ?? found.oneOf;
  if (choices !== undefined) {
    return [...new Set(choices.map((choice) => describeType(choice, document, depth + 1)))].join(' or ');
  }
  const types = typeof found.type === 'string' ? [found.type] : (found.type ?? []);
  if (types.length === 0) return found.properties === undefined ? 'anything' : 'object';
  return types.map((type) => describeOne(type, found, document, depth)).join(' or ');
}

/** `1 to 200 characters, default "inference"`; empty without any. */
export function rulesOf(schema: Schema, document: Document): string {
  const forms = [schema, ...(schema.anyOf ?? [])].map((form) => resolve(form, document).schema);
  const rules = forms.flatMap((form) => [
    range(form.minLength, form.maxLength, 'characters'),
    range(form.minItems, form.maxItems, 'entries'),
    range(form.minimum, isUnbounded(form.maximum) ? undefined : form.maximum, ''),
    form.pattern === undefined || form.format !== undefined ? '' : `like ${form.pattern}`,
  ]);
  const byDefault = schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`;
  return [...new Set([...rules, byDefault])].filter((rule) => rule !== '').join(', ');
}

/** The objects with fields to show: itself, those of a list, or those of a choice. */
export function innerObjects(schema: Schema, document: Document, depth = 0): readonly Schema[] {
  if (depth > DEPTH_MAX) return [];
  const { schema: found } = resolve(schema, document);
  if (Object.keys(found.properties ?? {}).length > 0) return [found];
  const inner = [...(found.anyOf ?? []), ...(found.oneOf ?? []), ...(found.allOf ?? [])];
  if (found.items !== undefined) inner.push(found.items);
  if (typeof found.additionalProperties === 'object') inner.push(found.additionalProperties);
  return inner.flatMap((each) => innerObjects(each, document, depth + 1));
}

function describeOne(type: string, schema: Schema, document: Document, depth: number): string {
  if (type === 'string') return schema.format === 'date-time' ? 'time' : schema.format === 'date' ? 'day' : 'text';
  if (type === 'integer') return 'whole number';
  if (type === 'boolean') return 'true or false';
  if (type === 'array') {
    return schema.items === undefined ? 'list' : `list of ${describeType(schema.items, document, depth + 1)}`;
  }
  if (type === 'object' && schema.properties === undefined && typeof schema.additionalProperties === 'object') {
    return `object of ${describeType(schema.additionalProperties, document, depth + 1)}`;
  }
  return type;
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const words = unit === '' ? '' : ` ${unit}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${words}`;
  if (most !== undefined) return `at most ${most}${words}`;
  // Every count is 0 or more, and every text has a letter: that needs no words.
  return least === undefined || least === 0 || (unit === 'characters' && least === 1)
    ? ''
    : `at least ${least}${least === 1 ? words.replace(/ies$/, 'y') : words}`;
}

/** Limits that only say that a number fits into a JavaScript number. */
function isUnbounded(maximum: number | undefined): boolean {
  return maximum === Number.MAX_SAFE_INTEGER;
}
