/** What text without quotes means in YAML 1.2: https://yaml.org/spec/1.2.2/#1032-tag-resolution */
import type { YamlScalar } from './yaml-node.ts';

export function plainScalar(source: string): YamlScalar {
  return { kind: 'scalar', value: plainValue(source), source, isPlain: true };
}

/** Null, a boolean, a number, or the text itself. */
export function plainValue(source: string): unknown {
  // Most text begins with a letter that no other meaning begins with.
  if (!/^[-+.0-9~nNtTfF]/.test(source)) return source;
  if (/^(?:~|[Nn]ull|NULL)$/.test(source)) return null;
  if (/^(?:[Tt]rue|TRUE)$/.test(source)) return true;
  if (/^(?:[Ff]alse|FALSE)$/.test(source)) return false;
  if (/^[-+]?[0-9]+$/.test(source)) return Number.parseInt(source, 10);
  if (/^0o[0-7]+$/.test(source)) return Number.parseInt(source.slice(2), 8);
  if (/^0x[0-9a-fA-F]+$/.test(source)) return Number.parseInt(source.slice(2), 16);
  if (/^(?:\.nan|\.NaN|\.NAN)$/.test(source)) return Number.NaN;
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(source)) return source.startsWith('-') ? -Infinity : Infinity;
  if (/^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+)$/.test(source))
    return Number.parseFloat(source);
  return source;
}
