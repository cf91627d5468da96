import { type Path, pathText } from './options.ts';
import type { YamlFile } from './read-yaml.ts';

/** The nearest known place at or above a path: a missing field is reported at the entry that lacks it. */
export function placeOf(
  path: Path,
  sources: ReadonlyMap<string, string>,
  file: YamlFile | null,
  name: string | null,
  precision: 'exact' | 'nearest' = 'nearest',
): string {
  const shortest = precision === 'exact' ? path.length : 1;
  for (let length = path.length; length >= shortest; length -= 1) {
    const text = pathText(path.slice(0, length));
    const source = sources.get(text);
    if (source !== undefined) return source;
    const line = file?.lineOf(path.slice(0, length)) ?? null;
    if (line !== null) return `${name}:${line}`;
  }
  return 'default';
}
