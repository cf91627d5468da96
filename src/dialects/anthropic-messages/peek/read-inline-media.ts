/** Finds the images in a Messages request, and parts of its prompt that the body does not bound: media by URL, and PDFs. */

import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import { type InlineMedia, MediaTally, NO_MEDIA } from '../../kit/media/inline-media.ts';
import { BlockReader } from '../../kit/peek/block-fields.ts';
import { isConversationField } from './conversation-field.ts';
import { foreignMediaKeys } from './foreign-media.ts';

/**
 * Throws 400 for a source with a duplicate field.
 *
 * The sources: https://docs.anthropic.com/en/api/messages (image, document)
 */
export function readInlineMedia(document: JsonDocument): InlineMedia {
  const { watched } = document;
  if (watched.length === 0) return NO_MEDIA;
  const tally = new MediaTally();
  const blocks = new BlockReader(document);
  let bytesLeft = SCANNED_TIMES_MAX * document.bytes.length;
  for (const field of watched) {
    if (field.type === 'null' || !isConversationField(field)) continue;
    // A URL outside a source is quoted, not fetched.
    if (FOREIGN.has(field.path.slice(field.path.lastIndexOf('.') + 1))) tally.addOther();
    if (!field.path.endsWith('.source')) continue;
    bytesLeft -= field.valueEnd - field.valueStart;
    if (bytesLeft < 0) tally.addOther();
    else addSource(tally, document, blocks, field);
  }
  return tally;
}

const FOREIGN: ReadonlySet<string> = new Set(foreignMediaKeys);

/** A document's source may contain an image's, no deeper; without a limit, nested sources would cause much work. */
const SCANNED_TIMES_MAX = 2;

const KIND_BYTES_MAX = 128;

/** Blocks whose source is only quoted text. */
const QUOTED: ReadonlySet<string | undefined> = new Set(['search_result', 'search_result_location']);

function addSource(tally: MediaTally, document: JsonDocument, blocks: BlockReader, source: WatchedField): void {
  const block = blocks.around(source, ['type'])?.texts.get('type');
  if (source.type === 'string' && QUOTED.has(block)) return;
  if (source.type !== 'object') return tally.addOther();
  const { fields } = scanInside(document, source);
  const text = (name: string): string | null => {
    const field = fields.get(name);
    const isShort = field !== undefined && field.valueEnd - field.valueStart <= KIND_BYTES_MAX;
    return isShort && field.type === 'string' ? readString(document, field) : null;
  };
  const data = fields.get('data');
  switch (text('type')) {
    case 'text':
    case 'content':
      // Images inside have their own source.
      return block === 'document' ? undefined : tally.addOther();
    case 'base64':
      if (data?.type !== 'string') return tally.addOther();
      return block === 'image'
        ? tally.addImage(document, data, text('media_type') ?? '')
        : tally.addFile(document, data);
    default:
      return tally.addOther();
  }
}
