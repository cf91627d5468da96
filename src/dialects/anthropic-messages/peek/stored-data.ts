/** Data stored at the provider that a request names below its top level. */
import { GatewayError } from '../../../core/errors.ts';
import type { WatchedField } from '../../../wire/json-document.ts';
import { isConversationField } from './conversation-field.ts';

/** Why it is not accepted, as the end of a sentence. */
export const STORED = "it gives access to data stored under the provider's credential, which all callers share";

/** The nested keys the body scan has to report for `refuseStoredData`. */
export const storedDataKeys: readonly string[] = ['file_id'];

/** Throws 400 if this field names stored data. */
export function refuseStoredData(field: WatchedField): void {
  if (!namesStoredFile(field)) return;
  throw new GatewayError('field_not_allowed', {
    message: `The field "file_id" is not accepted by this gateway: ${STORED}. Send the content itself.`,
    param: field.path,
  });
}

/**
 * A file id in a content block makes the provider read that file. In the result of a server tool
 * that is sent back (`content` inside a block's `content` object) it only names what was written.
 */
function namesStoredFile(field: WatchedField): boolean {
  return (
    field.path.endsWith('.file_id') &&
    field.type !== 'null' &&
    isConversationField(field) &&
    !field.path.includes('.content.content[]') &&
    !field.path.includes('.citations[]')
  );
}
