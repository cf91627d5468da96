/** Finds a field that a small JSON text names twice; the parser would take the last and say nothing. */

/**
 * The first name, its escapes undone, that an object at any depth of `text` has twice; null where none does. `text` is valid JSON.
 * Names are the same where `fold` makes them the same.
 */
export function nameGivenTwice(text: string, fold: (name: string) => string = asItIs): string | null {
  /** The names of each object that is open; of an array null. */
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
