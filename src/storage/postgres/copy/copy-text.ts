/** Rows in the text format of `COPY`, as PostgreSQL writes them itself: the same values give the same bytes. */

/** A value of either engine. */
export type CopiedValue = bigint | string | Uint8Array | null;

export type CopiedKind = 'integer' | 'text' | 'bytes';

/** One line, with its end. Throws for a text with a zero character, which PostgreSQL does not store. */
export function copyLine(row: readonly CopiedValue[]): string {
  let line = '';
  for (let index = 0; index < row.length; index += 1) {
    if (index > 0) line += '\t';
    line += copyField(row[index] as CopiedValue);
  }
  return `${line}\n`;
}

function copyField(value: CopiedValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') {
    if (!TO_ESCAPE.test(value)) return value;
    if (value.includes('\0')) throw new Error('PostgreSQL cannot store a text with a zero character');
    return value.replace(/[\b\f\n\r\t\v\\]/g, (character) => ESCAPES[character] as string);
  }
  return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}

const TO_ESCAPE = /[\0\b\f\n\r\t\v\\]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};
const UNESCAPED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ESCAPES).map(([character, escaped]) => [escaped[1], character]),
);

/** The values of a line. */
export function readCopyLine(line: Buffer, kinds: readonly CopiedKind[]): CopiedValue[] {
  const fields = line.toString('utf8', 0, line.length - 1).split('\t');
  if (fields.length !== kinds.length) throw new Error(`a row has ${fields.length} columns instead of ${kinds.length}`);
  return fields.map((field, index) => readField(field, kinds[index] as CopiedKind));
}

function readField(field: string, kind: CopiedKind): CopiedValue {
  if (field === '\\N') return null;
  if (kind === 'integer') return BigInt(field);
  if (kind === 'bytes') return Buffer.from(field.slice(3), 'hex');
  return field.includes('\\') ? field.replace(/\\(.)/gs, (_all, letter: string) => UNESCAPED[letter] ?? letter) : field;
}
