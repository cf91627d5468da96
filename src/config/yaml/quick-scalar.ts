/** Names and values on one line, in the notations that `quick-reader.ts` takes. */
import { plainValue } from './plain-value.ts';
import type { YamlScalar } from './yaml-node.ts';

/** The text has something else, right or wrong: the complete reader decides. */
export class NotQuick extends Error {
  override readonly name = 'NotQuick';
}

export interface Token<Value> {
  readonly value: Value;
  /** After it. */
  readonly end: number;
}

/** YAML ends a name at 1,024 characters; this leaves room for its quotes. */
const NAME_MAX = 1_000;
const NAME = /[A-Za-z_][\w./@+-]*/y;

/** A name before its colon, with or without quotes; null if something else is there. */
export function readName(text: string, at: number): Token<string> | null {
  const first = text[at];
  if (first === '"' || first === "'") {
    const quoted = readQuoted(text, at);
    if (quoted.end - at > NAME_MAX) throw new NotQuick();
    return quoted;
  }
  NAME.lastIndex = at;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return null;
  if (name.length > NAME_MAX || plainValue(name) !== name) throw new NotQuick();
  return { value: name, end: at + name.length };
}

/** Text in quotes that ends on its line. */
export function readQuoted(text: string, at: number): Token<string> {
  const quote = text[at] as string;
  let end = text.indexOf(quote, at + 1);
  if (quote === '"') {
    while (end !== -1 && isEscaped(text, end)) end = text.indexOf(quote, end + 1);
  } else {
    while (end !== -1 && text[end + 1] === quote) end = text.indexOf(quote, end + 2);
  }
  if (end === -1) throw new NotQuick();
  const inside = text.slice(at + 1, end);
  if (inside.includes('\n')) throw new NotQuick();
  const value = quote === "'" ? inside.replaceAll("''", "'") : inside.includes('\\') ? unescaped(inside) : inside;
  return { value, end: end + 1 };
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

/** What JSON escapes means the same in YAML; YAML has more. */
function unescaped(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    throw new NotQuick();
  }
}

export function quotedScalar(value: string): YamlScalar {
  return { kind: 'scalar', value, source: undefined, isPlain: false };
}
