/** Limits how deep a parsed value nests. The parser accepts any depth, but code that walks or writes a deep value runs out of stack. */
import { DEPTH_MAX } from './json-scan.ts';

/** Whether objects and arrays nest at most `depth` levels, by default as deep as a request may. Looks no deeper than that. */
export function isShallow(value: unknown, depth: number = DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
