import { type DescribedFile, FILE_FIELD } from '../../dialects/interface/form.ts';
import type { FormField } from '../../wire/multipart/form-writer.ts';
import { isList } from './form-parts.ts';

/** A form as JSON, so that it is read, stored and searched like any request: each field is a string, several of one name are a list. */
export function formDocument(fields: readonly FormField[], file: DescribedFile): Buffer {
  const values = new Map<string, string | string[]>();
  for (const { name, value } of fields) {
    const text = value.toString('utf8');
    if (!isList(name)) values.set(name, text);
    else (listAt(values, name) as string[]).push(text);
  }
  const members = Array.from(values, ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return Buffer.from(`{${[...members, `${JSON.stringify(FILE_FIELD)}:${JSON.stringify(file)}`].join(',')}}`);
}

function listAt(values: Map<string, string | string[]>, name: string): string | string[] {
  const known = values.get(name);
  if (known !== undefined) return known;
  const list: string[] = [];
  values.set(name, list);
  return list;
}
