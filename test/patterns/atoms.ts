/**
 * Characters of a pattern in classes that it treats alike: an atom is what every set of the pattern either takes or does not.
 * Membership is asked of the engine itself, so that flags and properties mean what they mean when the program runs.
 */
import type { AST } from '@eslint-community/regexpp';

/** What the assertions of a pattern ask of a character. */
export interface Kind {
  readonly isWord: boolean;
  readonly endsLine: boolean;
  /** The sets that a look behind asks for and that take it, as they are written. */
  readonly seenAs: ReadonlySet<string>;
}

export interface Atoms {
  /** Of each atom, the number of its kind. */
  readonly kindOf: readonly number[];
  readonly kinds: readonly Kind[];
  /** The atoms that a set takes. */
  of(set: CharacterSource): readonly number[];
}

/** A node that takes one character. */
export type CharacterSource = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

/** `seen` are the sets of a pattern that it only looks behind at. */
export function makeAtoms(taken: readonly CharacterSource[], seen: readonly CharacterSource[], flags: string): Atoms {
  const sources = [...new Set([...taken, ...seen].map((set) => set.raw))];
  const seenSources = new Set(seen.map((set) => set.raw));
  const codeFlags = [...flags].filter((flag) => 'isuv'.includes(flag)).join('');
  const tests = sources.map((source) => new RegExp(`^(?:${source})$`, codeFlags));
  const known = new Set<string>();
  const kinds = new Map<string, { readonly id: number; readonly kind: Kind }>();
  const kindOf: number[] = [];
  const members = new Map<string, number[]>(sources.map((source) => [source, []]));
  for (const character of samples(sources)) {
    const takers = sources.filter((_, index) => tests[index]?.test(character));
    const [isWord, endsLine] = [/\w/.test(character), /[\n\r\u2028\u2029]/.test(character)];
    const signature = JSON.stringify([isWord, endsLine, takers]);
    if (known.has(signature)) continue;
    known.add(signature);
    const seenAs = takers.filter((source) => seenSources.has(source));
    const name = JSON.stringify([isWord, endsLine, seenAs]);
    const { id } = kinds.get(name) ?? { id: kinds.size };
    kinds.set(name, { id, kind: { isWord, endsLine, seenAs: new Set(seenAs) } });
    for (const source of takers) members.get(source)?.push(kindOf.length);
    kindOf.push(id);
  }
  return { kindOf, kinds: [...kinds.values()].map(({ kind }) => kind), of: (set) => members.get(set.raw) ?? [] };
}

/** Every character of the first blocks, some of each block above, and those around what the pattern names. */
function samples(sources: readonly string[]): Set<string> {
  const points = new Set<number>([0x2028, 0x2029, 0x212a, 0x1e9e, 0xfeff, 0x10ffff]);
  for (let point = 0; point < 0x250; point += 1) points.add(point);
  for (let point = 0x250; point < 0x30000; point += 61) points.add(point);
  for (const source of sources) {
    for (const [, short, long] of source.matchAll(/\\u(?:\{([\da-f]+)\}|([\da-f]{4}))/gi)) {
      addAround(points, Number.parseInt(short ?? long ?? '', 16));
    }
    for (const character of source) addAround(points, character.codePointAt(0) ?? 0);
  }
  return new Set([...points].map((point) => String.fromCodePoint(point)));
}

function addAround(points: Set<number>, point: number): void {
  for (let near = Math.max(point - 1, 0); near <= Math.min(point + 1, 0x10ffff); near += 1) points.add(near);
}
