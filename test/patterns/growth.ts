/**
 * How the time of a pattern grows with a text, at worst, in an engine that backtracks. It follows every way that a text allows
 * until one of them matches; so what counts is in how many ways a text of n characters can be taken.
 *
 * - Two ways round from a state to itself with the same text: the ways double with each round, 2^n.
 * - A loop, a way from it to another loop, and that loop, all with the same text: n places to change over, n² steps. The first
 *   loop may be the search itself, which begins anew at every character.
 *
 * Weideman, van der Merwe, Berglund, Watson, "Analyzing Matching Time Behavior of Backtracking Regular Expression
 * Matchers by Using Ambiguity of NFA", CIAA 2016. Where this is not exact it is strict: it does not ask for an end of the text at
 * which all ways fail, only leaves out of a search what comes after a certain match.
 */
import { Unjudged } from './automaton.ts';
import { cycles, reachable } from './graph.ts';
import { readStates, type States } from './states.ts';

export type Growth = 'linear' | 'polynomial' | 'exponential' | `unknown: ${string}`;

export function growthOf(source: string, flags: string): Growth {
  try {
    const states = readStates(source, flags);
    const loops = loopsOf(states, () => true);
    if (loops.some((loop) => takesTwoWays(states, loop))) return 'exponential';
    return searchesInLoop(states) || changesLoop(states, loops) ? 'polynomial' : 'linear';
  } catch (error) {
    if (error instanceof Unjudged) return `unknown: ${error.message}`;
    throw error;
  }
}

type Loop = ReadonlySet<number>;

function loopsOf(states: States, takes: (state: number) => boolean): Loop[] {
  const all = [...Array(states.count).keys()].filter(takes);
  return cycles(all, (state) => {
    const found = new Set<number>();
    for (let atom = 0; atom < states.atoms; atom += 1) for (const next of states.next(state, atom)) found.add(next);
    return [...found].filter(takes);
  });
}

/** Whether a state of the loop comes back to itself with one text in two ways: two steps to one state, or ways apart and together again. */
function takesTwoWays(states: States, loop: Loop): boolean {
  const inside = (state: number, atom: number): number[] => states.next(state, atom).filter((next) => loop.has(next));
  for (const state of loop)
    for (let atom = 0; atom < states.atoms; atom += 1) {
      const nexts = inside(state, atom);
      if (new Set(nexts).size < nexts.length) return true;
    }
  const width = states.count;
  const successors = (pair: number): number[] => {
    const found = new Set<number>();
    for (let atom = 0; atom < states.atoms; atom += 1)
      for (const one of inside(Math.floor(pair / width), atom))
        for (const other of inside(pair % width, atom)) found.add(one * width + other);
    return [...found];
  };
  const same = [...loop].map((state) => state * width + state);
  const isSame = (pair: number): boolean => Math.floor(pair / width) === pair % width;
  return cycles(same, successors).some((group) => [...group].some(isSame) && ![...group].every(isSame));
}

/**
 * Whether an attempt that begins anywhere can go round with a text in which each character begins another attempt. What is final
 * is left out, since an attempt that comes there succeeds and is the last; what it tried after that, in vain, is tried again by the
 * next search, where there is one.
 */
function searchesInLoop(states: States): boolean {
  const kinds = [...Array(states.kinds).keys()];
  const atoms = atomsOf(states);
  if (kinds.every((kind) => atoms.every((atom) => states.first(kind, atom).length === 0))) return false;
  const vain = (state: number): boolean => !states.isFinal(state);
  const finals = [...Array(states.count).keys()].filter(states.isFinal);
  const width = states.count + states.kinds;
  /** The search as a state more for each kind of character that it is after. */
  const searching = (kind: number): number => states.count + kind;
  const begin = (kind: number, atom: number): number[] => [
    searching(states.kindOfAtom(atom)),
    ...states.first(kind, atom).filter(vain),
    ...finals
      .filter((state) => states.kindOf(state) === kind)
      .flatMap((state) => states.next(state, atom).filter(vain)),
  ];
  const begins = kinds.map((kind) => atoms.map((atom) => begin(kind, atom)));
  return loopsOf(states, vain).some((loop) =>
    [...loop].some((state) => {
      const found = reachable([searching(states.kindOf(state)) * width + state], (pair) => {
        const [first, second] = [Math.floor(pair / width), pair % width];
        return atoms.flatMap((atom) => {
          const ends = states.next(second, atom).filter((next) => loop.has(next));
          if (ends.length === 0) return [];
          const firsts = begins[first - states.count]?.[atom] ?? states.next(first, atom).filter(vain);
          return firsts.flatMap((one) => ends.map((end) => one * width + end));
        });
      });
      return found.has(state * width + state);
    }),
  );
}

/** Whether a text leads round one loop, from it to another, and round that. */
function changesLoop(states: States, loops: readonly Loop[]): boolean {
  return loops.some((first) => {
    const after = reachable(first, (state) => atomsOf(states).flatMap((atom) => states.next(state, atom)));
    return loops.some(
      (last) => last !== first && [...last].some((state) => after.has(state)) && changesBetween(states, first, last),
    );
  });
}

function changesBetween(states: States, first: Loop, last: Loop): boolean {
  const width = states.count;
  for (const from of first)
    for (const to of last) {
      const start = (from * width + from) * width + to;
      const found = reachable([start], (triple) => {
        const [one, way, other] = [
          Math.floor(triple / width / width),
          Math.floor(triple / width) % width,
          triple % width,
        ];
        return atomsOf(states).flatMap((atom) => {
          const ones = states.next(one, atom).filter((next) => first.has(next));
          const others = ones.length === 0 ? [] : states.next(other, atom).filter((next) => last.has(next));
          if (others.length === 0) return [];
          const ways = [...new Set(states.next(way, atom))];
          return ones.flatMap((a) => ways.flatMap((b) => others.map((c) => (a * width + b) * width + c)));
        });
      });
      if (found.has((from * width + to) * width + to)) return true;
    }
  return false;
}

function atomsOf(states: States): number[] {
  return [...Array(states.atoms).keys()];
}
