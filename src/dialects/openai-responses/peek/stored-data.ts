/**
 * Data stored at the provider that a request names: an earlier answer, a conversation, a prompt, an item of one of them, a file. All accounts
 * share the provider's credential, so without a record of who stored what, none of it can be used.
 *
 * https://platform.openai.com/docs/guides/conversation-state
 */
import { GatewayError } from '../../../core/errors.ts';
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';

/** Why it is not accepted, as the end of a sentence. */
export const STORED = "it gives access to data stored under the provider's credential, which all accounts share";
export const SEND_INPUT = 'Send the whole input instead.';

/** The last step of a path, and what its path must look like. */
const storedData: readonly { readonly key: string; readonly at: RegExp }[] = [
  { key: 'file_id', at: /^(?:input\[\]\.(?:content|output)(?:\[\])?\.file_id$|(?:input\[\]\.)?tools\[\]\.)/ },
  { key: 'file_ids', at: /^(?:input\[\]\.)?tools\[\]\./ },
  { key: 'vector_store_ids', at: /^(?:input\[\]\.)?tools\[\]\./ },
  { key: 'container_id', at: /^(?:input\[\]\.)?tools\[\]\./ },
  // By its name; an object asks for a new one.
  { key: 'container', at: /^(?:input\[\]\.)?tools\[\]\.container$/ },
];
/** A tool's schema is the caller's own data: its properties may have any name. */
const SCHEMA = /\.(?:parameters|output_schema)\./;

/** The nested keys that the body scan must report. `id` is that of an item. */
export const storedDataKeys: readonly string[] = [...storedData.map(({ key }) => key), 'id'];

/** Throws 400 if this field names stored data. */
export function refuseStoredData(field: WatchedField): void {
  if (field.type === 'null' || (field.type === 'object' && field.path.endsWith('.container'))) return;
  for (const { key, at } of storedData) {
    if (!field.path.endsWith(`.${key}`) || !at.test(field.path) || SCHEMA.test(field.path)) continue;
    throw new GatewayError('field_not_allowed', {
      message: `The field "${key}" is not accepted by this gateway: ${STORED}. Send the content itself.`,
      param: field.path,
    });
  }
}

/** Throws 400 if an item only refers to one that the provider has stored. */
export function refuseReferences(document: JsonDocument): void {
  const cursor = new FieldCursor();
  let lastStart = -1;
  for (const { path, objectStart } of document.watched) {
    // A duplicate name would make the same object be walked again.
    if (path !== 'input[].id' || objectStart === lastStart) continue;
    lastStart = objectStart;
    if (isReference(document.bytes, cursor, objectStart)) throw referenceRefused('input[].id');
  }
}

export function referenceRefused(param: string): GatewayError {
  return new GatewayError('field_not_allowed', {
    message: `An item that only refers to a stored one is not accepted by this gateway: ${STORED}. ${SEND_INPUT}`,
    param,
  });
}

/** `{type: "item_reference", id}`; the type may be absent. Whatever is unclear counts as one. */
function isReference(bytes: Buffer, cursor: FieldCursor, objectStart: number): boolean {
  cursor.open(bytes, objectStart, bytes.length);
  let isKnown = false;
  while (cursor.next()) {
    const isType = cursor.keyIs(TYPE);
    if (!isType && !cursor.keyIs(ROLE)) continue;
    const value = bytes.subarray(cursor.valueStart, cursor.valueEnd);
    if (isType && (value.equals(REFERENCE) || value.includes(BACKSLASH))) return true;
    isKnown ||= !value.equals(NULL);
  }
  return cursor.broken || !isKnown;
}

const TYPE = Buffer.from('"type"');
const ROLE = Buffer.from('"role"');
const REFERENCE = Buffer.from('"item_reference"');
const NULL = Buffer.from('null');
const BACKSLASH = 0x5c;
