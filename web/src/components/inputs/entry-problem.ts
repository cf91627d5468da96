/** What is wrong with a number as typed. Nothing is dropped from it: unreadable text blocks the form. */

const AMOUNT = 'Enter an amount such as 1000.50, without thousands separators.';
const WHOLE = 'Enter a whole number such as 1000, without thousands separators.';
/** Whole numbers with this many digits are exact. */
const DIGITS_MAX = 15;

/** For USD as decimal text; null when it is readable or empty. `5.` and `.5` are readable. */
export function amountProblem(text: string, signed = false): string | null {
  if (text === '') return null;
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return AMOUNT;
  const [, sign = '', whole = '', places = ''] = match;
  if (sign !== '' && !signed) return 'Enter a positive amount.';
  if (whole === '' && places === '') return AMOUNT;
  if (whole.length > 9) return 'Enter at most 9 digits before the decimal point.';
  return places.length > 9 ? 'Enter at most 9 decimal places.' : null;
}

/** Whether more typing can make it an amount: `-` and `.` alone are not errors yet. */
export function mayBecomeAmount(text: string): boolean {
  return text === '.' || text === '-' || text === '-.';
}

/** For a whole number of 0 or more; null when it is readable or empty. */
export function wholeNumberProblem(text: string): string | null {
  if (text === '') return null;
  if (/^-\d+$/.test(text)) return 'Enter a positive number.';
  if (!/^\d+$/.test(text)) return WHOLE;
  return text.length > DIGITS_MAX ? `Enter at most ${DIGITS_MAX} digits.` : null;
}
