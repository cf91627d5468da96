/** Finds a field that a small JSON text names twice; the parser would take the last and say nothing. */

/** A string, or what opens, closes or divides. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** The first name, its escapes undone, that an object at any depth of `text` has twice; null where none does. `text` is valid JSON. */
export function nameGivenTwice(text: string): string | null {
  /** The names of each object that is open; of an array null. */
  const open: (Set<string> | null)[] = [];
  let lastString = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') lastString = token;
    else {
      const name = JSON.parse(lastString) as string;
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return null;
}
