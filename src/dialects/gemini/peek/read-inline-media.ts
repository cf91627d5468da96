/**
 * The media in a request: images and sounds in the body are counted. PDFs, videos, and whatever a URI leads to have no bound: their bytes
 * do not limit how many pages or seconds they have.
 *
 * https://ai.google.dev/api/caching#Blob, https://ai.google.dev/gemini-api/docs/tokens#multimodal-tokens
 */
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import { type InlineMedia, MediaTally, NO_MEDIA } from '../../kit/media/inline-media.ts';
import { WALKED_VALUES_MAX } from '../../kit/peek/walked-values.ts';
import { bothSpellings } from '../field-names.ts';
import { isConversationField } from './conversation-field.ts';

/** The nested keys that the body scan must report. */
export const mediaKeys: readonly string[] = bothSpellings(['inlineData', 'fileData']);

/** Throws `GatewayError` 400 for a blob with a duplicate field. */
export function readInlineMedia(document: JsonDocument): InlineMedia {
  const { watched } = document;
  if (watched.length === 0) return NO_MEDIA;
  // Python's clients write the alphabet for URLs.
  const tally = new MediaTally('either');
  let bytesLeft = SCANNED_TIMES_MAX * document.bytes.length;
  for (const field of watched) {
    const name = field.path.slice(field.path.lastIndexOf('.') + 1);
    if (!KEYS.has(name) || field.type === 'null' || !isConversationField(field)) continue;
    bytesLeft -= field.valueEnd - field.valueStart;
    if (bytesLeft < 0 || document.values > WALKED_VALUES_MAX || field.type !== 'object' || !BLOBS.has(name))
      tally.addOther();
    else addBlob(tally, document, field);
  }
  return tally;
}

const KEYS: ReadonlySet<string> = new Set(mediaKeys);
const BLOBS: ReadonlySet<string> = new Set(bothSpellings(['inlineData']));
/** A blob contains no other; without a limit, nested ones would cause much work. */
const SCANNED_TIMES_MAX = 2;
const TYPE_BYTES_MAX = 128;

function addBlob(tally: MediaTally, document: JsonDocument, blob: WatchedField): void {
  const { fields } = scanInside(document, blob);
  const data = fields.get('data');
  const type = fields.get('mimeType') ?? fields.get('mime_type');
  if (fields.has('mimeType') && fields.has('mime_type')) return tally.addOther();
  if (data?.type !== 'string' || type?.type !== 'string' || type.valueEnd - type.valueStart > TYPE_BYTES_MAX)
    return tally.addOther();
  const declared = readString(document, type).toLowerCase();
  if (declared.startsWith('image/')) return tally.addImage(document, data, declared);
  if (declared.startsWith('audio/')) return tally.addSound(document, data, SOUNDS[declared] ?? '');
  tally.addFile(document, data);
}

/** The declared types of sounds whose bytes bound how long they last. */
const SOUNDS: Readonly<Record<string, string>> = {
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/vnd.wave': 'wav',
};
