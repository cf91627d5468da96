/**
 * Reads a YAML file as plain values, with the line of each. Variables are expanded in text; a price keeps its digits as
 * written. Objects have no prototype, so that a field called `__proto__` is just an unknown field.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { isObject } from '../core/json-object.ts';
import { type Environment, expandVariables } from './environment.ts';
import { isSecretAt, kindsAt, type Path, pathText } from './options.ts';
import type { Problem } from './problem.ts';
import { readText } from './read-text.ts';

/** Deeper than any option, so that a self-referencing alias ends. */
const DEPTH_MAX = 16;
/** PostgreSQL stores no text with it, and what works must not depend on the database. */
const NUL = '\0';
const HAS_NUL = 'must not have a NUL character (U+0000)';

export interface YamlFile {
  readonly tree: Record<string, unknown>;
  /** `pathText` → line of the key (of the entry, in a list). */
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly Problem[];
  /** Variables in the text that are not set. */
  readonly unset: readonly Unset[];
}

export interface Unset extends Problem {
  readonly path: Path;
}

/** `environmentOf` returns where the variables of a place are looked up. */
export function readYaml(text: string, fileName: string, environmentOf: (path: Path) => Environment): YamlFile {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const problems: Problem[] = document.errors.map((error) => ({
    where: `${fileName}:${counter.linePos(error.pos[0]).line}`,
    message: error.message.split('\n')[0] ?? error.message,
  }));
  const unset: Unset[] = [];
  const lines = new Map<string, number>();
  const root = document.errors.length > 0 ? null : convert(document.contents, []);
  if (root !== null && (typeof root !== 'object' || Array.isArray(root))) {
    problems.push({ where: `${fileName}:1`, message: 'must contain options, one `name: value` per line' });
  }
  return { tree: isObject(root) ? root : emptyRecord(), lines, problems, unset };

  function convert(node: unknown, path: Path): unknown {
    if (isAlias(node)) return convert(node.resolve(document), path);
    if (path.length > DEPTH_MAX) {
      report(path, 'is nested too deeply');
      return null;
    }
    if (isMap(node)) {
      const record = emptyRecord();
      for (const pair of node.items) {
        const name = String(isScalar(pair.key) ? pair.key.value : pair.key);
        if (name.includes(NUL)) {
          const shown = [...path, name.replaceAll(NUL, '\u{fffd}')];
          place(pair.key, shown, () => report(shown, HAS_NUL));
          continue;
        }
        const value = place(pair.key, [...path, name], () => convert(pair.value, [...path, name]));
        // An option with nothing after its colon has its lines commented out: it is not set.
        if (value !== null || kindsAt([...path, name]).has('null')) record[name] = value;
      }
      return record;
    }
    if (isSeq(node)) {
      return node.items.map((item, index) => place(item, [...path, index], () => convert(item, [...path, index])));
    }
    return isScalar(node) ? scalar(node.value, node.source, node.type === 'PLAIN', path) : null;
  }

  function place(node: unknown, path: Path, read: () => unknown): unknown {
    const offset = (node as Node | null)?.range?.[0];
    if (offset !== undefined) lines.set(pathText(path), counter.linePos(offset).line);
    return read();
  }

  function scalar(value: unknown, source: string | undefined, plain: boolean, path: Path): unknown {
    const kinds = kindsAt(path);
    if (typeof value === 'number' && kinds.has('decimal')) return source ?? String(value);
    if (typeof value !== 'string') return value;
    const secret = isSecretAt(path);
    const environment = environmentOf(path);
    const look = (name: string) => (secret ? environment.readSecret(name) : environment.read(name))?.value ?? null;
    const expanded = expandVariables(value, look, {
      malformed: (message) => report(path, message),
      unset: (message) => unset.push({ path, ...problemAt(path, message) }),
    });
    if (expanded.includes(NUL)) report(path, HAS_NUL);
    return plain ? readText(expanded, kinds) : expanded;
  }

  function report(path: Path, message: string): void {
    problems.push(problemAt(path, message));
  }

  function problemAt(path: Path, message: string): Problem {
    return { where: `${fileName}:${lines.get(pathText(path)) ?? 1}`, message: `${pathText(path)}: ${message}` };
  }
}

function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
