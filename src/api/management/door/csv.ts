/**
 * Tables as CSV (https://www.rfc-editor.org/rfc/rfc4180). A text that a spreadsheet would take for a formula gets an
 * apostrophe in front of the sign that makes it one: names of keys and notes are written by anybody
 * (https://owasp.org/www-community/attacks/CSV_Injection). Where `;` or a tab separates, as in many countries' settings,
 * quotes in the middle of a line mean nothing, so what follows one of those within a cell counts as a cell's beginning.
 * Numbers are as they are, negative ones too.
 */

export type CsvCell = string | number | null;
export type CsvRow = readonly CsvCell[];

const NUMBER = /^-?\d+(\.\d+)?$/;
const TO_QUOTE = /[",;\t\r\n]/;
const FORMULA_SIGNS = new Set('=+-@＝＋－＠');
const SEPARATORS = new Set(';\t\r\n');
/** What may stand between the beginning of a cell and the sign: spreadsheets trim spaces and take quotes away. */
const BEFORE_SIGNS = /[\s"'\uFEFF]/;

/** A row as one line, without its end. */
export function csvLine(row: CsvRow): string {
  return row.map(writeCell).join(',');
}

/** Lines end with CR LF, the last one too. */
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
  // A control character at the beginning is dropped by some spreadsheets, and what follows comes first.
  let safe = text !== '' && SEPARATORS.has(text.charAt(0)) ? "'" : '';
  let isAtStart = true;
  for (const character of text) {
    if (isAtStart && FORMULA_SIGNS.has(character)) safe += "'";
    safe += character;
    isAtStart = SEPARATORS.has(character) || (isAtStart && BEFORE_SIGNS.test(character));
  }
  return safe;
}
