/**
 * Rewrites a JSON Schema as Google's `Schema`, for models that take nothing else: references are replaced by what they refer to,
 * alternatives with `null` become `nullable`, constants become lists of one. What cannot be said is looser, and reported.
 *
 * https://ai.google.dev/api/caching#Schema
 */
import type { Json, JsonObject } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { isList, isRecord } from '../../kit/request/request-values.ts';
import type { Written } from './written.ts';

/** Throws `GatewayError` 400, naming `place`, for a schema whose references make it too large. */
export function googleSchema(schema: JsonObject, place: string, warnings: Set<string>): Written {
  return new SchemaWriter(schema, place, warnings).write(schema, 0);
}

/** References multiply a schema; nobody writes a larger one by hand, and the API would refuse it. */
const SCHEMAS_MAX = 5_000;
const DEPTH_MAX = 64;

class SchemaWriter {
  readonly #root: JsonObject;
  readonly #place: string;
  readonly #warnings: Set<string>;
  /** The references that are being followed. */
  readonly #following = new Set<string>();
  #written = 0;

  constructor(root: JsonObject, place: string, warnings: Set<string>) {
    this.#root = root;
    this.#place = place;
    this.#warnings = warnings;
  }

  write(value: Json, depth: number): Written {
    this.#written += 1;
    if (this.#written > SCHEMAS_MAX || depth > DEPTH_MAX)
      throw unsupported(this.#place, 'This schema is too large for the provider once its references are followed.');
    const schema = isRecord(value) ? value : {};
    const reference = schema['$ref'];
    if (typeof reference === 'string') return this.#follow(reference, schema, depth);
    return this.#fields(this.#merged(schema, depth), depth);
  }

  #follow(reference: string, schema: JsonObject, depth: number): Written {
    const { $ref: _reference, ...own } = schema;
    const found = this.#following.has(reference) ? null : this.#find(reference);
    if (found === null) {
      this.#warnings.add('a schema that refers to itself, or to something unknown, was loosened');
      return this.#fields({ ...own, type: 'object' }, depth);
    }
    this.#following.add(reference);
    const written = this.write(Object.keys(own).length === 0 ? found : { ...found, ...own }, depth + 1);
    this.#following.delete(reference);
    return written;
  }

  /** The schema at `#/a/b`; null if there is none. */
  #find(reference: string): JsonObject | null {
    if (!reference.startsWith('#')) return null;
    let at: Json | undefined = this.#root;
    for (const step of reference.slice(1).split('/').slice(1)) {
      if (!isRecord(at) || !Object.hasOwn(at, step)) return null;
      at = at[step];
    }
    return isRecord(at) ? at : null;
  }

  /** Without `allOf`: the properties of its parts are the schema's own. */
  #merged(schema: JsonObject, depth: number): JsonObject {
    const { allOf, ...own } = schema;
    if (!isList(allOf)) return schema;
    const properties: [string, Json][] = [];
    const required: Json[] = [];
    const rest: [string, Json][] = [];
    for (const part of [...allOf, own]) {
      const resolved = isRecord(part) ? this.#resolved(part, depth) : {};
      for (const [name, value] of Object.entries(resolved)) {
        if (name === 'properties' && isRecord(value)) for (const entry of Object.entries(value)) properties.push(entry);
        else if (name === 'required' && isList(value)) for (const item of value) required.push(item);
        else rest.push([name, value]);
      }
    }
    // Not by assignment: a property may be named `__proto__`.
    const merged: [string, Json][] = [...rest, ['properties', Object.fromEntries(properties)]];
    return Object.fromEntries(required.length === 0 ? merged : [...merged, ['required', [...new Set(required)]]]);
  }

  /** A part of `allOf`, which is mostly a reference. */
  #resolved(part: JsonObject, depth: number): JsonObject {
    this.#written += 1;
    if (depth > DEPTH_MAX || this.#written > SCHEMAS_MAX) return part;
    const reference = part['$ref'];
    if (typeof reference !== 'string' || this.#following.has(reference)) return part;
    return this.#find(reference) ?? part;
  }

  #fields(schema: JsonObject, depth: number): Written {
    const { types, isNullable } = typesOf(schema);
    const all = [...alternatives(schema['anyOf']), ...alternatives(schema['oneOf'])];
    const branches = all.filter((branch) => !isNull(branch));
    const nullable = isNullable || branches.length < all.length;
    const written: Record<string, unknown> = nullable ? { nullable: true } : {};
    for (const name of COPIED) if (schema[name] !== undefined) written[name] = schema[name];
    if (branches.length === 1 && types.length === 0)
      return { ...this.write(branches[0] as Json, depth + 1), ...written };
    if (branches.length > 1) written['anyOf'] = branches.map((branch) => this.write(branch, depth + 1));
    else if (types.length > 1)
      return { ...written, anyOf: types.map((type) => this.#typed({ ...schema, type }, type, depth)) };
    if (branches.length > 1 && types.length === 0 && schema['properties'] === undefined) return written;
    this.#warnOfRest(schema);
    return { ...this.#typed(schema, types[0] ?? impliedType(schema, this.#warnings), depth), ...written };
  }

  /** The fields that belong to one type. */
  #typed(schema: JsonObject, type: string, depth: number): Written {
    const written: Record<string, unknown> = { type: type.toUpperCase() };
    const { properties, items, required } = schema;
    switch (type) {
      case 'object':
        if (isRecord(properties) && Object.keys(properties).length > 0) {
          const entries = Object.entries(properties);
          written['properties'] = Object.fromEntries(entries.map(([name, own]) => [name, this.write(own, depth + 1)]));
          // The API refuses names that it does not find among the properties.
          const named = isList(required)
            ? required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))
            : [];
          if (named.length > 0) written['required'] = named;
        }
        break;
      case 'array':
        written['items'] = this.write(items ?? {}, depth + 1);
        break;
      case 'string':
        if (FORMATS_OF_TEXT.has(schema['format'])) written['format'] = schema['format'];
        break;
      default:
        writeRange(schema, type, written);
    }
    return this.#withValues(schema, type, written);
  }

  /** Only texts can be listed; other values are described. */
  #withValues(schema: JsonObject, type: string, written: Record<string, unknown>): Written {
    const { const: only, enum: list } = schema;
    const values: readonly Json[] | null = only !== undefined ? [only] : isList(list) ? list : null;
    if (values === null) return written;
    if (type === 'string') {
      const texts = values.filter((value) => typeof value === 'string' && value !== '');
      return { ...written, ...(texts.length > 0 && { format: 'enum', enum: texts }) };
    }
    this.#warnings.add('values in a schema that are not texts were put into its descriptions');
    const before = typeof schema['description'] === 'string' ? `${schema['description']}\n\n` : '';
    return { ...written, description: `${before}One of: ${JSON.stringify(values)}` };
  }

  #warnOfRest(schema: JsonObject): void {
    for (const name of LOOSENED) {
      const value = schema[name];
      if (value !== undefined && typeof value !== 'boolean')
        this.#warnings.add(`${name} in a schema was left out: this model does not take it`);
    }
  }
}

const COPIED = [
  ...['title', 'description', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minLength', 'maxLength', 'pattern'],
];
/** They limit what is valid, and have no counterpart. `additionalProperties` may also be a flag, which changes nothing for a model. */
const LOOSENED = [
  ...['additionalProperties', 'patternProperties', 'propertyNames', 'multipleOf', 'not', 'if'],
  ...['prefixItems', 'contains'],
];
const FORMATS_OF_TEXT: ReadonlySet<unknown> = new Set(['date-time']);
const FORMATS_OF_NUMBERS: ReadonlySet<unknown> = new Set(['int32', 'int64', 'float', 'double']);

function typesOf({ type }: JsonObject): { readonly types: readonly string[]; readonly isNullable: boolean } {
  const all = (isList(type) ? type : [type]).filter((item) => typeof item === 'string');
  return { types: all.filter((item) => item !== 'null'), isNullable: all.includes('null') };
}

function alternatives(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function isNull(branch: Json): boolean {
  return isRecord(branch) && branch['type'] === 'null';
}

/** The API requires a type. */
function impliedType(schema: JsonObject, warnings: Set<string>): string {
  if (isRecord(schema['properties'])) return 'object';
  if (schema['items'] !== undefined) return 'array';
  const sample = schema['const'] ?? (isList(schema['enum']) ? schema['enum'][0] : undefined);
  if (typeof sample === 'number') return 'number';
  if (typeof sample === 'boolean') return 'boolean';
  if (typeof sample !== 'string' && schema['description'] === undefined && schema['title'] === undefined)
    warnings.add('a value of any type in a schema was sent as text: this model needs a type');
  return 'string';
}

function writeRange(schema: JsonObject, type: string, written: Record<string, unknown>): void {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, format } = schema;
  if (FORMATS_OF_NUMBERS.has(format)) written['format'] = format;
  const step = type === 'integer' ? 1 : 0;
  const least = typeof minimum === 'number' ? minimum : typeof above === 'number' ? above + step : null;
  const most = typeof maximum === 'number' ? maximum : typeof below === 'number' ? below - step : null;
  if (least !== null) written['minimum'] = least;
  if (most !== null) written['maximum'] = most;
}
