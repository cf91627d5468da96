/**
 * Bounds on what is parsed, checked before parsing: the number of values and names, which the scan has counted, and the size
 * of the text. A relayed request is scanned, not parsed, and has no such bounds.
 */
import { GatewayError } from '../../core/errors.ts';
import { hasMoreValues } from '../../wire/count-values.ts';
import type { JsonDocument } from '../../wire/json-document.ts';
import { prepareDocument } from '../../wire/json-read.ts';
import { findLargeTexts, type Span } from '../../wire/large-texts.ts';

export interface ParseLimits {
  /** Values and names. */
  readonly parsedValuesMax: number;
  /** Bytes without inline media. */
  readonly parsedTextBytesMax: number;
}

/** Throws `GatewayError` 413 that names the limit. */
export function refuseTooManyValues({ values }: JsonDocument, { parsedValuesMax }: ParseLimits): void {
  if (values <= parsedValuesMax) return;
  throw tooMuch(
    'limits.parsedValuesMax',
    `The request has more than ${parsedValuesMax} values and names, the limit for a request that is translated to another format.`,
  );
}

/**
 * Throws `GatewayError` 413 that names the limit. Returns the bytes of inline media; a document that was searched for them is
 * then prepared for parsing.
 */
export function refuseTooMuchText(document: JsonDocument, { parsedTextBytesMax }: ParseLimits): number {
  const { length } = document.bytes;
  if (length <= Math.min(parsedTextBytesMax, PREPARED_BYTES)) return 0;
  const mediaBytes = prepareDocument(document);
  if (length - mediaBytes <= parsedTextBytesMax) return mediaBytes;
  throw tooMuch(
    'limits.parsedTextBytesMax',
    `The request has more than ${parsedTextBytesMax} bytes, not counting inline media, the limit for a request that is translated to another format.`,
  );
}

/** From this length on, it pays to take media out of a document before parsing. */
const PREPARED_BYTES = 256 * 1024;

/**
 * For a provider's answer: half as much as for a request, since an answer is read and written in one turn of the event loop.
 * Throws `GatewayError` 502. Returns its large texts, if it was searched for them.
 */
export function refuseUnparsableAnswer(body: Buffer, limits: ParseLimits): readonly Span[] | null {
  const texts = refuseTooMuchInAnswer(body, limits);
  refuseTooManyInWhole(body, limits);
  return texts;
}

/** The second part of `refuseUnparsableAnswer`; the first is `refuseTooMuchInAnswer`. Each takes some milliseconds for each 10 MB. */
export function refuseTooManyInWhole(body: Buffer, { parsedValuesMax }: ParseLimits): void {
  refuseTooManyInAnswer(body, Math.floor(parsedValuesMax / 2));
}

/** For one event of a stream, with as much text. Throws `GatewayError` 502. */
export function refuseUnparsableEvent(event: Buffer, limits: ParseLimits): void {
  refuseTooMuchInAnswer(event, limits);
  refuseTooManyInAnswer(event, limits.parsedValuesMax);
}

/** Comes before values are counted, byte by byte: no further than there is text to be parsed. */
export function refuseTooMuchInAnswer(bytes: Buffer, { parsedTextBytesMax }: ParseLimits): readonly Span[] | null {
  const textMax = Math.floor(parsedTextBytesMax / 2);
  let text = bytes.length;
  if (text <= textMax) return null;
  const texts = findLargeTexts(bytes, textMax);
  for (const { start, end } of texts) text -= end - start;
  if (text <= textMax) return texts;
  throw new GatewayError('bad_gateway', {
    message: `The provider's answer has more than ${textMax} bytes, not counting inline media (half of limits.parsedTextBytesMax).`,
  });
}

/** A value takes at least two bytes, so the length alone decides for most. */
function refuseTooManyInAnswer(bytes: Buffer, parsedValuesMax: number): void {
  if (bytes.length <= BYTES_PER_VALUE_MIN * parsedValuesMax) return;
  if (!hasMoreValues(bytes, parsedValuesMax)) return;
  throw new GatewayError('bad_gateway', {
    message: `The provider's answer has more than ${parsedValuesMax} values and names, the limit for parsing (limits.parsedValuesMax).`,
  });
}

/** `0,` */
const BYTES_PER_VALUE_MIN = 2;

function tooMuch(limit: string, message: string): GatewayError {
  return new GatewayError('request_too_large', { message: `${message} The limit is ${limit}.`, facts: { limit } });
}
