/** A JSON Schema as a TypeScript type, as far as the contract needs one. */
import type { JsonSchema } from '../../src/api/contract/schemas.ts';

export interface PrintOptions {
  /** Whether a whole number in text may be passed as a number: in a query, where it becomes text anyway. */
  readonly numbersAsText?: boolean;
}

/** `indent` is the indentation of the line with the type. */
export function printType(schema: JsonSchema, indent = '', options: PrintOptions = {}): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => literal(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return union(alternatives.map((each) => printType(each, indent, options)));
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return 'unknown';
  return union(types.map((type) => printOne(type, schema, indent, options)));
}

function printOne(type: string, schema: JsonSchema, indent: string, options: PrintOptions): string {
  switch (type) {
    case 'string':
      return options.numbersAsText === true && schema.pattern?.startsWith('^[1-9]') ? 'number | string' : 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `readonly ${inBrackets(printType(schema.items ?? {}, indent, options))}[]`;
    case 'object':
      return printObject(schema, indent, options);
    default:
      throw new Error(`no TypeScript type is known for the JSON Schema type ${type}`);
  }
}

function printObject(schema: JsonSchema, indent: string, options: PrintOptions): string {
  const properties = Object.entries(schema.properties ?? {});
  const others = schema.additionalProperties;
  if (properties.length === 0) {
    if (others === undefined || others === true) return 'Readonly<Record<string, unknown>>';
    if (others === false) return 'Readonly<Record<string, never>>';
    return `Readonly<Record<string, ${printType(others, indent, options)}>>`;
  }
  const within = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const type = printType(property, within, options);
    const about = property.description === undefined ? '' : `${within}/** ${property.description} */\n`;
    return `${about}${within}readonly ${quoted(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function inBrackets(type: string): string {
  return type.includes('|') ? `(${type})` : type;
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}
