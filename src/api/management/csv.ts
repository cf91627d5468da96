/**
 * Tables as CSV (https://www.rfc-editor.org/rfc/rfc4180). A text that a spreadsheet would take for a formula gets an
 * apostrophe in front: names of keys and notes are written by anybody
 * (https://owasp.org/www-community/attacks/CSV_Injection). Numbers are as they are, negative ones too.
 */

export type CsvCell = string | number | null;

const NUMBER = /^-?\d+(\.\d+)?$/;
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const TO_QUOTE = /[",\r\n]/;

/** Lines end with CR LF, the last one too. */
export function writeCsv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const lines = [header.join(',')];
  for (const row of rows) lines.push(row.map(writeCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function writeCell(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
