/** What somebody typed as an amount, as the API takes it: `5.` is `5`, `.5` is `0.5`. Null where it is nothing. */
export function amountOf(text: string): string | null {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', whole = '', places = ''] = match;
  if (!/[1-9]/.test(`${whole}${places}`)) return null;
  return `${sign}${whole === '' ? '0' : whole}${places === '' ? '' : `.${places}`}`;
}
