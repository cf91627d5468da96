/** Whether a UTF-16 code unit matches `\s`. Testing a regular expression for each character of a long text takes twenty times as long. */
export function isWhiteSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return unit === 0xa0 || unit === 0xfeff || (unit >= 0x1680 && OTHERS.has(unit));
}

const OTHERS: ReadonlySet<number> = new Set([
  0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029,
  0x202f, 0x205f, 0x3000,
]);
