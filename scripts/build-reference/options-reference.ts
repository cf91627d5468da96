/** Every option of the configuration, from its schema. */

import { configJsonSchema } from '../../src/config/json-schema.ts';
import { type Option, options } from '../../src/config/options.ts';
import { configSchema } from '../../src/config/schema.ts';
import { code, codeList, markdownTable } from './markdown-table.ts';

export function optionsReference(): string {
  const standard = configSchema.parse({});
  const schema = configJsonSchema();
  return markdownTable(
    ['option', 'default', 'environment', 'flag', 'what it does'],
    options.map((option) => [
      code(option.path.join('.')),
      code(String(option.path.reduce<unknown>(field, standard))),
      code(option.environment) + (option.secret ? ' or `…_FILE`' : ''),
      option.flag === null ? '' : code(`--${option.flag}`),
      describe(option, schema),
    ]),
  );
}

function describe(option: Option, schema: unknown): string {
  const node = option.path.reduce<unknown>((parent, name) => field(field(parent, 'properties'), name), schema);
  const words = field(node, 'enum');
  if (!Array.isArray(words)) return option.description;
  return `${option.description} One of ${codeList(words.map(String))}.`;
}

function field(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null ? (node as Readonly<Record<string, unknown>>)[name] : undefined;
}
