/**
 * The forms of an answer in `responseFormat`, walked in place, because a schema may be long. Only text and sound have prices here, and what a
 * provider is asked to store is not the caller's alone.
 *
 * https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerationConfig (ResponseFormat)
 */
import type { GatewayError } from '../../../core/errors.ts';
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { isSpace } from '../../../wire/json-grammar.ts';
import { decodeName } from '../../../wire/json-names.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { present } from './peeked-fields.ts';
import { STORED } from './stored-data.ts';

/** `settings` is a `generationConfig`. Throws `GatewayError` 400. */
export function refuseUnpricedFormats(settings: JsonDocument): void {
  const field = present(settings, 'responseFormat', 'generationConfig');
  if (field === null) return;
  const { bytes } = settings;
  // One object counts as a list of one.
  const isList = field.type === 'array';
  if (!isList && field.type !== 'object') throw invalid(PATH, `"${PATH}" must be an array.`);
  const end = isList ? field.valueEnd - 1 : field.valueEnd;
  const cursor = new FieldCursor();
  let left = FORMATS_MAX;
  let at = isList ? field.valueStart + 1 : field.valueStart;
  while (at < end) {
    const byte = bytes[at] as number;
    if (isSpace(byte) || byte === COMMA) {
      at += 1;
      continue;
    }
    left -= 1;
    if (left < 0) throw invalid(PATH, `"${PATH}" must have fewer entries.`);
    cursor.open(bytes, at, field.valueEnd);
    checkFormat(bytes, cursor);
    at = cursor.objectEnd;
  }
}

const PATH = 'generationConfig.responseFormat';
/** There is one for each kind of answer. */
const FORMATS_MAX = 16;
const FIELDS_MAX = 64;
const NAME_BYTES_MAX = 128;
const PRICED: ReadonlySet<string> = new Set(['text', 'audio']);
const INLINE: ReadonlySet<string> = new Set(['null', '"INLINE"', '"DELIVERY_UNSPECIFIED"']);

function checkFormat(bytes: Buffer, format: FieldCursor): void {
  for (const name of fieldsOf(bytes, format)) {
    if (bytes[format.valueStart] === LETTER_N) continue;
    if (!PRICED.has(name))
      throw unsupported(
        PATH,
        'This gateway passes on answers in text and audio: the tokens of other forms have prices that it does not know.',
      );
    const inside = new FieldCursor();
    inside.open(bytes, format.valueStart, format.valueEnd);
    for (const inner of fieldsOf(bytes, inside))
      if (inner === 'delivery' && !INLINE.has(bytes.toString('latin1', inside.valueStart, inside.valueEnd)))
        throw storedAnswer();
  }
}

/** The decoded names of an object, one after the other, with the cursor at each field. */
function* fieldsOf(bytes: Buffer, cursor: FieldCursor): Generator<string, void> {
  let left = FIELDS_MAX;
  while (cursor.next()) {
    left -= 1;
    const { keyStart, keyEnd } = cursor;
    if (left < 0 || keyEnd - keyStart > NAME_BYTES_MAX)
      throw invalid(PATH, `"${PATH}" has too many or too long names.`);
    yield decodeName(bytes, keyStart + 1, keyEnd - 1);
  }
  if (cursor.broken) throw invalid(PATH, `"${PATH}" must be an array of objects.`);
}

function storedAnswer(): GatewayError {
  return unsupported(PATH, `Only the delivery "INLINE" is accepted by this gateway: with another, ${STORED}.`);
}

const COMMA = 0x2c;
const LETTER_N = 0x6e;
