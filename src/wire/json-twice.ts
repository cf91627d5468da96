/** Finds a duplicate field in a small JSON text; the parser would silently take the last. */

/**
 * The first name, decoded, that an object at any depth of `text` has twice; null if none does. `text` is valid JSON. Names are equal if
 * `fold` makes them equal.
 */
export function nameGivenTwice(text: string, fold: (name: string) => string = asItIs): string | null {
  /** The names of each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  let lastString = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(null);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const start = at;
      at = closingQuote(text, start + 1);
      lastString = text.slice(start, at + 1);
    } else if (character === ':') {
      const name = JSON.parse(lastString) as string;
      const names = open.at(-1);
      const folded = fold(name);
      if (names?.has(folded)) return name;
      names?.add(folded);
    }
  }
  return null;
}

function asItIs(name: string): string {
  return name;
}

function closingQuote(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
