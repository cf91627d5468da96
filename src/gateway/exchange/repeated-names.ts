/** Names that stand twice in one object of a JSON text: a parser gives the last of them, and the others stay unseen. */

/** Whether some are, by counting: `value` is what a parser made of `json`. */
export function hasRepeatedNames(json: Buffer, value: unknown): boolean {
  return countNames(json) !== countFields(value);
}

/** Of a text that is JSON: each name has a colon after it, and no other colon stands outside of a string. */
function countNames(json: Buffer): number {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === COLON) count += 1;
    else if (byte === QUOTE) {
      at += 1;
      while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
    }
  }
  return count;
}

/** Without recursion: nobody knows how deep it is. */
function countFields(value: unknown): number {
  let count = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const each of inner) if (typeof each === 'object') waiting.push(each);
  }
  return count;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
