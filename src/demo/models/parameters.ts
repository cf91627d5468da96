/** A whole number written as `name=200` in the user's text; null if absent. */
export function readParameter(text: string, name: string): number | null {
  for (const [, found, value] of text.matchAll(PARAMETER)) if (found === name) return Number(value);
  return null;
}

const PARAMETER = /(?<!\S)([a-z-]+)=(\d{1,7})(?!\S)/g;
