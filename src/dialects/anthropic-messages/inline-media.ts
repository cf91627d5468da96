/** The images in a Messages request, and what of its prompt no body tells: media behind an address, and PDFs. */
import { type JsonDocument, readString, scanInside, type WatchedField } from '../../wire/json-scan.ts';
import { type InlineMedia, MediaTally, NO_MEDIA } from '../inline-media.ts';
import { isConversationField } from './governed-fields.ts';

/**
 * Null when some of what a model reads has no bound. Throws 400 for a source that names a field twice.
 *
 * The sources: https://docs.anthropic.com/en/api/messages (image, document)
 */
export function readInlineMedia(document: JsonDocument): InlineMedia | null {
  const { watched } = document;
  if (watched.length === 0) return NO_MEDIA;
  const tally = new MediaTally();
  let bytesLeft = SCANNED_TIMES_MAX * document.bytes.length;
  for (const field of watched) {
    // What stands elsewhere than in a source is an address to be quoted, not one to be read.
    if (!field.path.endsWith('.source') || field.type === 'string' || !isConversationField(field)) continue;
    bytesLeft -= field.valueEnd - field.valueStart;
    if (bytesLeft < 0 || !addSource(tally, document, field)) return null;
  }
  return tally;
}

/** A document's source may hold an image's, no deeper; without a limit, sources in sources would mean long work. */
const SCANNED_TIMES_MAX = 2;

const KIND_BYTES_MAX = 64;

function addSource(tally: MediaTally, document: JsonDocument, source: WatchedField): boolean {
  if (source.type !== 'object') return source.type === 'null';
  const { fields } = scanInside(document, source);
  const kind = fields.get('type');
  if (kind?.type !== 'string' || kind.valueEnd - kind.valueStart > KIND_BYTES_MAX) return false;
  switch (readString(document, kind)) {
    case 'text':
      return true;
    case 'content':
      // Images inside have a source of their own.
      return true;
    case 'base64': {
      const data = fields.get('data');
      return data?.type === 'string' && tally.addFile(document, data);
    }
    default:
      return false;
  }
}
