/** Data stored at the provider that a request names below its top level: uploaded files, and buckets that the operator can read. */
import { GatewayError } from '../../../core/errors.ts';
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import { bothSpellings } from '../field-names.ts';
import { isConversationField } from './conversation-field.ts';

/** Why it is not accepted, as the end of a sentence. */
export const STORED = "it gives access to data stored under the provider's credential, which all callers share";

/** The nested keys that the body scan must report for `refuseStoredData`. */
export const storedDataKeys: readonly string[] = bothSpellings(['fileUri', 'voice']);

/** Throws 400 if this field names stored data; a page or a video that anyone can read is none. */
export function refuseStoredData(document: JsonDocument, field: WatchedField): void {
  refuseStoredVoice(document, field);
  if (!KEYS.has(field.path.slice(field.path.lastIndexOf('.') + 1)) || field.type === 'null') return;
  if (!isConversationField(field) || isPublic(document, field)) return;
  throw new GatewayError('field_not_allowed', {
    message: `This value of "fileUri" is not accepted by this gateway: ${STORED}. Send the content itself in "inlineData".`,
    param: field.path,
  });
}

const KEYS: ReadonlySet<string> = new Set(bothSpellings(['fileUri']));
const URI_BYTES_MAX = 4096;

/**
 * Google's Files API has its files at generativelanguage.googleapis.com, and Cloud Storage at several hosts and under `gs:`:
 * https://ai.google.dev/api/files, https://cloud.google.com/storage/docs/request-endpoints
 */
function isPublic(document: JsonDocument, field: WatchedField): boolean {
  if (field.type !== 'string' || field.valueEnd - field.valueStart > URI_BYTES_MAX) return false;
  const uri = readString(document, field);
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return (protocol === 'https:' || protocol === 'http:') && !GOOGLE_STORES.test(hostname);
}

const GOOGLE_STORES =
  /(?:^|\.)(?:googleapis\.com|googleusercontent\.com|storage\.cloud\.google\.com|drive\.google\.com)\.?$/;

/** A voice by its name is Google's; by an id or a key it is one that was stored or copied. */
const VOICE = /^generation(?:Config|_config)\.speech(?:Config|_config)\..*\bvoice$/;
const OWN_VOICE = /^[A-Za-z]{0,64}$/;

function refuseStoredVoice(document: JsonDocument, field: WatchedField): void {
  if (field.type !== 'string' || !VOICE.test(field.path)) return;
  if (field.valueEnd - field.valueStart <= URI_BYTES_MAX && OWN_VOICE.test(readString(document, field))) return;
  throw new GatewayError('field_not_allowed', {
    message: `This value of "voice" is not accepted by this gateway: ${STORED}. Send the name of one of Google's voices.`,
    param: field.path,
  });
}
