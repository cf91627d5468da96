/**
 * Tables as CSV (https://www.rfc-editor.org/rfc/rfc4180). A text that a spreadsheet would take for a formula gets an
 * apostrophe in front: names of keys and notes are written by anybody
 * (https://owasp.org/www-community/attacks/CSV_Injection). Numbers are as they are, negative ones too.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';

export type CsvCell = string | number | null;

const NUMBER = /^-?\d+(\.\d+)?$/;
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const TO_QUOTE = /[",\r\n]/;

/** Rows that are written in one turn of the event loop: about 1 ms of it. */
const TURN_ROWS = 500;

/** Lines end with CR LF, the last one too. A piece at a time: a table may be as long as somebody's patience. */
export async function writeCsv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): Promise<string> {
  const lines = [header.join(',')];
  for (const row of rows) {
    lines.push(row.map(writeCell).join(','));
    if (lines.length % TURN_ROWS === 0) await nextTurn();
  }
  return `${lines.join('\r\n')}\r\n`;
}

function writeCell(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
