/** What is wrong with a figure as it was typed. Nothing is dropped from it: a text that cannot be read holds the form back. */

const AMOUNT = 'An amount is written like 1000.50, without signs for thousands.';
const WHOLE = 'A whole number is written like 1000, without signs for thousands.';
/** All whole numbers of so many digits are exact. */
const DIGITS_MAX = 15;

/** Of USD as decimal text; null for what can be read, and for nothing at all. `5.` and `.5` can be read. */
export function amountProblem(text: string, signed = false): string | null {
  if (text === '') return null;
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return AMOUNT;
  const [, sign = '', whole = '', places = ''] = match;
  if (sign !== '' && !signed) return 'An amount here has no minus.';
  if (whole === '' && places === '') return AMOUNT;
  if (whole.length > 9) return 'An amount has at most 9 digits before the point.';
  return places.length > 9 ? 'An amount has at most 9 places after the point.' : null;
}

/** Whether it may become an amount by typing on: `-` and `.` alone are no complaint yet. */
export function mayBecomeAmount(text: string): boolean {
  return text === '.' || text === '-' || text === '-.';
}

/** Of a whole number of 0 or more; null for what can be read, and for nothing at all. */
export function wholeNumberProblem(text: string): string | null {
  if (text === '') return null;
  if (/^-\d+$/.test(text)) return 'A number here has no minus.';
  if (!/^\d+$/.test(text)) return WHOLE;
  return text.length > DIGITS_MAX ? `A number has at most ${DIGITS_MAX} digits.` : null;
}
