/** Scores how hard a QR code is to read: the mask with the lowest penalty is used. ISO/IEC 18004, 7.8.3 */

const RUN = 3;
const BLOCK = 3;
const LIKE_A_FINDER = 40;
const UNEVEN = 10;

export function qrPenalty(rows: readonly string[]): number {
  const columns = rows.map((_, at) => rows.map((row) => row[at]).join(''));
  const lines = [...rows, ...columns];
  return total(lines.map(runs)) + blocks(rows) + total(lines.map(finders)) + unevenness(rows.join(''));
}

/** Five or more equal modules in a line. */
function runs(line: string): number {
  return total((line.match(/0{5,}|1{5,}/g) ?? []).map((run) => RUN + run.length - 5));
}

/** Two by two equal modules. */
function blocks(rows: readonly string[]): number {
  let found = 0;
  for (const [at, row] of rows.entries()) {
    const below = rows[at + 1] ?? '';
    for (let column = 1; column < below.length; column += 1) {
      const pair = row.slice(column - 1, column + 1);
      if (pair === below.slice(column - 1, column + 1) && pair[0] === pair[1]) found += 1;
    }
  }
  return found * BLOCK;
}

/** Patterns that a reader could mistake for a finder pattern. */
function finders(line: string): number {
  const found = (line.match(/(?=10111010000)/g) ?? []).length + (line.match(/(?=00001011101)/g) ?? []).length;
  return found * LIKE_A_FINDER;
}

/** How far the share of dark modules is from half, in steps of five percent. */
function unevenness(modules: string): number {
  const dark = modules.replaceAll('0', '').length / modules.length;
  return Math.floor(Math.abs(dark - 0.5) * 20) * UNEVEN;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
