/**
 * Signatures that this gateway made of other vendors' thoughts (`answer/reasoning-tag.ts`). A caller that changes the model in the middle of
 * a conversation sends them to Google, which refuses what it has not signed: each becomes Google's own that it contains, or the documented
 * value for a signature that is lost.
 *
 * The body is known to be JSON, so a quote after a colon opens a string. At most `PLACES_MAX` of them are checked.
 *
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
import { GOOGLE_REASONING } from '../../../chat/request.ts';
import type { JsonDocument, Mark } from '../../../wire/json-document.ts';
import { skipString } from '../../../wire/json-grammar.ts';
import type { Edit } from '../../../wire/json-splice.ts';
import { placesOf } from '../../../wire/mark-search.ts';
import { isValueOf } from '../../kit/relay/is-value-of.ts';
import { openThoughts, TAG_IN_BASE64 } from '../answer/reasoning-tag.ts';
import { NO_SIGNATURE } from '../request/assistant-parts.ts';

/** The replacements, in order of position. Nearly every body has none, which a single search shows. */
export function foreignThoughts(document: Pick<JsonDocument, 'bytes' | 'marks'>): readonly Edit[] {
  const { bytes } = document;
  const edits: Edit[] = [];
  for (const start of placesOf(MARK, document)) {
    if (!isValueOf(bytes, start, NAMES)) continue;
    const end = skipString(bytes, start + 1);
    const thoughts = openThoughts(bytes.toString('latin1', start + 1, end - 1));
    if (thoughts === null) continue;
    const own = thoughts.findLast(({ origin, encrypted }) => origin === GOOGLE_REASONING && encrypted !== null);
    edits.push({ start, end, insert: Buffer.from(JSON.stringify(own?.encrypted ?? NO_SIGNATURE)) });
  }
  return edits;
}

/** Where such a signature may begin. */
/** No conversation has a tenth of this. Any further ones are left for the provider to refuse. */
const PLACES_MAX = 16 * 1024;
export const MARK: Mark = { text: Buffer.from(`"${TAG_IN_BASE64}`), max: PLACES_MAX };

const NAMES: readonly Buffer[] = [Buffer.from('"thoughtSignature"'), Buffer.from('"thought_signature"')];
