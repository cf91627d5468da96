/** A whole number written as `name=200` in the user's text; null when it is not there. */
export function readParameter(text: string, name: string): number | null {
  const match = new RegExp(`(?:^|\\s)${name}=(\\d{1,7})(?:\\s|$)`).exec(text);
  return match?.[1] === undefined ? null : Number(match[1]);
}
