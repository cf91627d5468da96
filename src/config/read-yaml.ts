/**
 * Reads a YAML file as plain values, and finds the line of each. Variables are expanded in text; a price keeps its digits as
 * written. Objects have no prototype, so that a field called `__proto__` is just an unknown field.
 */
import type { Steps } from '../core/turns/steps.ts';
import { type Environment, expandVariables } from './environment.ts';
import { atElement, atField, atTop, type Path, type Place, pathText } from './options.ts';
import type { Problem } from './problem.ts';
import { readText } from './read-text.ts';
import { readCompletely } from './yaml/complete-reader.ts';
import { lineCounter, offsetAt } from './yaml/line-of.ts';
import { readQuickly } from './yaml/quick-reader.ts';
import { NOTHING, type YamlMap, type YamlNode, type YamlScalar } from './yaml/yaml-node.ts';

/** Deeper than any option, so that a self-referencing alias ends. */
const DEPTH_MAX = 16;
/** More values than a file has that one can read: with aliases a short file could stand for any number. */
const VALUES_MAX = 3_000_000;
/** PostgreSQL stores no text with it, and what works must not depend on the database. */
const NUL = '\0';
const HAS_NUL = 'must not have a NUL character (U+0000)';

export interface YamlFile {
  readonly tree: Record<string, unknown>;
  /** The line of the name at a path (of the entry, in a list); null if the file does not have it. */
  readonly lineOf: (path: Path) => number | null;
  readonly problems: readonly Problem[];
  /** Variables in the text that are not set. */
  readonly unset: readonly Unset[];
}

export interface Unset extends Problem {
  readonly path: Path;
}

/** `environmentOf` returns where the variables of a place are looked up. */
export function* readYaml(text: string, fileName: string, environmentOf: (path: Path) => Environment): Steps<YamlFile> {
  const lineAt = lineCounter(text);
  const read = (yield* readQuickly(text)) ?? readCompletely(text);
  const problems: Problem[] = [];
  const unset: Unset[] = [];
  const path: (string | number)[] = [];
  let values = 0;
  let root: YamlNode = NOTHING;
  if ('kind' in read) root = read;
  else for (const { offset, message } of read) problems.push({ where: `${fileName}:${lineAt(offset)}`, message });
  const tree = root.kind === 'map' ? yield* topOf(root) : emptyRecord();
  if (root.kind === 'list' || (root.kind === 'scalar' && root.value !== null))
    problems.push({ where: `${fileName}:1`, message: 'must contain options, one `name: value` per line' });
  return { tree, lineOf, problems, unset };

  /** A step for each entry of a list at the top, such as a provider with its models. */
  function* topOf(map: YamlMap): Steps<Record<string, unknown>> {
    const record = emptyRecord();
    for (const [index, name] of map.names.entries()) {
      const value = map.values[index] as YamlNode;
      const place = atField(atTop, name);
      if (value.kind !== 'list' || name.includes(NUL)) {
        setField(record, name, value, atTop);
        continue;
      }
      const list: unknown[] = [];
      for (const [position, item] of value.values.entries()) {
        path.push(name, position);
        list.push(convert(item, atElement(place)));
        path.length = 0;
        yield;
      }
      record[name] = list;
    }
    return record;
  }

  function convert(node: YamlNode, place: Place): unknown {
    if (path.length > DEPTH_MAX) {
      report('is nested too deeply');
      return null;
    }
    values += 1;
    if (values > VALUES_MAX) {
      if (values === VALUES_MAX + 1) report(`is more than ${VALUES_MAX} values, with those that aliases repeat`);
      return null;
    }
    if (node.kind === 'scalar') return scalar(node, place);
    if (node.kind === 'map') {
      const record = emptyRecord();
      for (const [index, name] of node.names.entries()) setField(record, name, node.values[index] as YamlNode, place);
      return record;
    }
    return node.values.map((item, index) => {
      path.push(index);
      const value = convert(item, atElement(place));
      path.pop();
      return value;
    });
  }

  function setField(record: Record<string, unknown>, name: string, node: YamlNode, parent: Place): void {
    if (name.includes(NUL)) return reportName(name);
    const place = atField(parent, name);
    path.push(name);
    const value = convert(node, place);
    path.pop();
    // An option with nothing after its colon has its lines commented out: it is not set.
    if (value !== null || place.kinds.has('null')) record[name] = value;
  }

  function reportName(name: string): void {
    const line = lineOf([...path, name]) ?? 1;
    const shown = pathText([...path, name.replaceAll(NUL, '\u{fffd}')]);
    problems.push({ where: `${fileName}:${line}`, message: `${shown}: ${HAS_NUL}` });
  }

  function scalar({ value, source, isPlain }: YamlScalar, { kinds, isSecret }: Place): unknown {
    if (typeof value === 'number' && kinds.has('decimal')) return source ?? String(value);
    if (typeof value !== 'string') return value;
    let expanded = value;
    if (value.includes('$')) {
      const environment = environmentOf(path);
      const look = (name: string) => (isSecret ? environment.readSecret(name) : environment.read(name))?.value ?? null;
      expanded = expandVariables(value, look, {
        malformed: report,
        unset: (message) => unset.push({ path: path.slice(), ...problemHere(message) }),
      });
    }
    if (expanded.includes(NUL)) report(HAS_NUL);
    return isPlain ? readText(expanded, kinds) : expanded;
  }

  function report(message: string): void {
    problems.push(problemHere(message));
  }

  function problemHere(message: string): Problem {
    return { where: `${fileName}:${lineOf(path) ?? 1}`, message: `${pathText(path)}: ${message}` };
  }

  function lineOf(of: Path): number | null {
    const offset = offsetAt(root, of);
    return offset === null ? null : lineAt(offset);
  }
}

function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
