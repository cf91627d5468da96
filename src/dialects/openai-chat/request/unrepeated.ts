/** A text that may be a shorter one, several times over. */

export interface Repetition {
  readonly unit: string;
  readonly times: number;
}

/**
 * The shortest text whose repetition gives this one, and how often. Linear time: at each position, the longest suffix so far that is also a
 * prefix follows from the previous position (Knuth–Morris–Pratt).
 */
export function unrepeated(text: string): Repetition {
  const { length } = text;
  if (length < 2) return { unit: text, times: 1 };
  const borders = new Uint32Array(length);
  let border = 0;
  for (let at = 1; at < length; at += 1) {
    while (border > 0 && text.charCodeAt(at) !== text.charCodeAt(border)) border = borders[border - 1] as number;
    if (text.charCodeAt(at) === text.charCodeAt(border)) border += 1;
    borders[at] = border;
  }
  const period = length - border;
  return length % period === 0 ? { unit: text.slice(0, period), times: length / period } : { unit: text, times: 1 };
}
