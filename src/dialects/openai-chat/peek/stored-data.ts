/** Data stored at the provider that a request names below its top level. */
import { GatewayError } from '../../../core/errors.ts';
import type { WatchedField } from '../../../wire/json-document.ts';

/** Why it is not accepted, as the end of a sentence. */
export const STORED = "it gives access to data stored under the provider's credential, which all accounts share";

/** The last step of a path, and the beginning of such a path. */
const storedData: readonly { readonly key: string; readonly under: string; readonly remedy: string }[] = [
  { key: 'file_id', under: 'messages[]', remedy: 'Send the content itself.' },
  // An assistant message's `audio: {id}` names an answer that is stored at the provider.
  { key: 'audio', under: 'messages[]', remedy: 'Send the transcript as text.' },
  { key: 'file_ids', under: 'tools[]', remedy: 'Send the content itself.' },
  { key: 'vector_store_ids', under: 'tools[]', remedy: 'Send the content itself.' },
  { key: 'cached_content', under: 'extra_body', remedy: 'Send the content itself; providers cache what repeats.' },
];

/** The nested keys that the body scan must report for `refuseStoredData`. */
export const storedDataKeys: readonly string[] = storedData.map(({ key }) => key);

/** Throws 400 if this field names stored data. */
export function refuseStoredData(field: WatchedField): void {
  if (field.type === 'null') return;
  for (const { key, under, remedy } of storedData) {
    if (!field.path.endsWith(`.${key}`) || !isBelow(field.path, under)) continue;
    throw new GatewayError('field_not_allowed', {
      message: `The field "${key}" is not accepted by this gateway: ${STORED}. ${remedy}`,
      param: field.path,
    });
  }
}

/** A function's schema is the caller's own data: its properties may have any name. */
function isBelow(path: string, under: string): boolean {
  return path.startsWith(`${under}.`) && !path.startsWith('tools[].function.') && !path.startsWith('tools[].custom.');
}
