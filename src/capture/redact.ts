/** Redacts secrets in a body before it is stored: each is replaced by a note of its kind. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Breaks } from './breaks.ts';
import { findSecrets } from './find-secrets.ts';
import type { SecretSpan } from './secret-span.ts';

/** `text` is a request, a whole answer, or a stream of events, as sent on the wire. Works in small pieces, yielding to the event loop. */
export async function redact(text: string): Promise<string> {
  const breaks = new Breaks();
  const spans = await findSecrets(text, breaks);
  for (const span of await findSplitSecrets(text, breaks)) spans.push(span);
  if (spans.length === 0) return text;
  spans.sort((one, other) => one.start - other.start);
  await nextTurn();
  let redacted = '';
  let from = 0;
  for (const { start, end, kind } of spans) {
    if (breaks.isDue(PIECE_WORK)) await nextTurn();
    if (end <= from) continue;
    // If two overlap, the rest of the second is dropped with the first.
    if (start >= from) redacted += `${text.slice(from, start)}[${kind}]`;
    from = end;
  }
  return redacted + text.slice(from);
}

/** Fields in which a stream sends text piece by piece, in all dialects; the index of the choice, block, item or tool; and line ends. */
const PIECE =
  /"(content|text|thinking|reasoning|reasoning_content|refusal|partial_json|arguments|input|delta|stringValue)" ?: ?"((?:[^"\\]|\\.)*)"|"(?:output_)?index" ?: ?(\d{1,9})|\n/g;
/** Per match, in tenths of a microsecond. */
const PIECE_WORK = 3;
/** Only a stream matches: one of events, or one of Google's arrays, which has a line with only a comma between two elements. */
const STREAM = /^data:|^,\r?$/m;

/**
 * A stream sends text in pieces, and secrets extend across them: an address is rarely one piece. So the pieces of
 * each field, separated by choice, block, item or tool, are searched as one text, and what is found is redacted in each piece.
 */
async function findSplitSecrets(text: string, breaks: Breaks): Promise<SecretSpan[]> {
  if (!STREAM.test(text)) return [];
  const texts = new Map<string, { readonly pieces: { readonly start: number; readonly at: number }[]; text: string }>();
  let number = '';
  for (const match of text.matchAll(PIECE)) {
    if (breaks.isDue(PIECE_WORK)) await nextTurn();
    const [whole, field, piece = '', index = ''] = match;
    // The index of a choice, block, item or tool call precedes its text.
    if (field === undefined) number = index;
    if (field === undefined || piece === '') continue;
    const name = `${field} ${number}`;
    const joined = texts.get(name) ?? { pieces: [], text: '' };
    texts.set(name, joined);
    joined.pieces.push({ start: match.index + whole.length - 1 - piece.length, at: joined.text.length });
    joined.text += piece;
  }
  const spans: SecretSpan[] = [];
  for (const joined of texts.values()) {
    for (const found of await findSecrets(joined.text, breaks)) {
      for (const span of spansInPieces(found, joined.pieces, joined.text.length)) spans.push(span);
      if (breaks.isDue(PIECE_WORK)) await nextTurn();
    }
  }
  return spans;
}

/** The positions of a found secret in the original text. `pieces` are in order: `start` is the position in the original, `at` in the joined text. */
function spansInPieces(
  { start, end, kind }: SecretSpan,
  pieces: readonly { readonly start: number; readonly at: number }[],
  length: number,
): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let index = firstPiece(pieces, start); index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece === undefined || piece.at >= end) break;
    const pieceEnd = pieces[index + 1]?.at ?? length;
    const [from, to] = [Math.max(start, piece.at), Math.min(end, pieceEnd)];
    spans.push({ start: piece.start + from - piece.at, end: piece.start + to - piece.at, kind });
  }
  return spans;
}

/** The last piece that begins at `position` or before. */
function firstPiece(pieces: readonly { readonly at: number }[], position: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.at ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
