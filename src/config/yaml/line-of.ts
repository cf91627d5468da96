import type { Path } from '../options.ts';
import type { YamlNode } from './yaml-node.ts';

/** Returns the line (from 1) of an offset in a text. */
export function lineCounter(text: string): (offset: number) => number {
  let starts: number[] | null = null;
  return (offset) => {
    starts ??= startsOfLines(text);
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Where the name at a path is (the entry, in a list); null if it is not in the file. */
export function offsetAt(root: YamlNode, path: Path): number | null {
  let node = root;
  let offset: number | null = null;
  for (const part of path) {
    if (node.kind === 'scalar') return null;
    // A name that is there twice is only reported.
    const at =
      typeof part === 'number'
        ? node.kind === 'list'
          ? part
          : -1
        : node.kind === 'map'
          ? node.names.lastIndexOf(part)
          : -1;
    const next = node.values[at];
    if (next === undefined) return null;
    offset = node.offsets[at] ?? null;
    node = next;
  }
  return offset;
}
