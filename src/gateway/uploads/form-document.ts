import type { FormField } from '../../wire/multipart/form-writer.ts';
import type { FormFile } from './form-file.ts';
import { isList } from './form-parts.ts';

/**
 * A form as JSON, so that it is read, stored and searched like any request: each field is a string, each file what is known of it, several of one
 * name are a list. `bytesMax`: of a file that is arriving.
 */
export function formDocument(fields: readonly FormField[], files: readonly FormFile[], bytesMax: number): Buffer {
  const values = new Map<string, unknown>();
  for (const { name, value } of fields) put(values, name, value.toString('utf8'));
  for (const file of files) put(values, file.head.name, file.describe(bytesMax));
  const members = Array.from(values, ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return Buffer.from(`{${members.join(',')}}`);
}

function put(values: Map<string, unknown>, name: string, value: unknown): void {
  if (!isList(name)) return void values.set(name, value);
  const known = values.get(name);
  if (known === undefined) values.set(name, [value]);
  else (known as unknown[]).push(value);
}
