/**
 * Tables as CSV (https://www.rfc-editor.org/rfc/rfc4180). A text that a spreadsheet would read as a formula gets an apostrophe before its
 * sign, because anybody can choose names of keys and notes (https://owasp.org/www-community/attacks/CSV_Injection). If the separator is `;`
 * or a tab, as in many locales, quotes within a cell have no effect, so text after one of them counts as the start of a cell. Numbers stay
 * unchanged, including negative ones.
 */

export type CsvCell = string | number | null;
export type CsvRow = readonly CsvCell[];

const NUMBER = /^-?\d+(\.\d+)?$/;
const TO_QUOTE = /[",;\t\r\n]/;
const FORMULA_SIGNS = new Set('=+-@＝＋－＠');
const SEPARATORS = new Set(';\t\r\n');
/** Characters that may precede the sign in a cell: spreadsheets trim spaces and remove quotes. */
const BEFORE_SIGNS = /[\s"'\uFEFF]/;

/** A row as one line, without the line break. */
export function csvLine(row: CsvRow): string {
  return row.map(writeCell).join(',');
}

/** Every line ends with CR LF, including the last. */
export function csvLines(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${csvLine(row)}\r\n`).join('');
}

function writeCell(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = NUMBER.test(text) ? text : withoutFormulas(text);
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withoutFormulas(text: string): string {
  // Some spreadsheets drop a control character at the start, so the next character comes first.
  let safe = text !== '' && SEPARATORS.has(text.charAt(0)) ? "'" : '';
  let isAtStart = true;
  for (const character of text) {
    if (isAtStart && FORMULA_SIGNS.has(character)) safe += "'";
    safe += character;
    isAtStart = SEPARATORS.has(character) || (isAtStart && BEFORE_SIGNS.test(character));
  }
  return safe;
}
