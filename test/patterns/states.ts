/**
 * The states that an automaton can be in after a character, and where each leads with the next: one state for an edge
 * and the kind of the character it took, since assertions look back at that.
 */
import { type Kind, makeAtoms } from './atoms.ts';
import { type Automaton, type Guard, readAutomaton, Unjudged } from './automaton.ts';

export interface States {
  readonly count: number;
  readonly atoms: number;
  /** The targets of a state with an atom; one that is reached in two ways is listed twice. */
  next(state: number, atom: number): readonly number[];
  /** Whether the pattern has certainly matched there, so that no attempt that comes this far fails. */
  isFinal(state: number): boolean;
  /** Where an attempt is after its first character; `before`: the kind of the character before that. */
  first(before: number, atom: number): readonly number[];
  /** How many kinds of characters there are, numbered from 0. */
  readonly kinds: number;
  kindOfAtom(atom: number): number;
  kindOf(state: number): number;
}

/** Ways through nodes that take no character. */
interface Way {
  readonly edge: number;
  readonly guards: readonly Guard[];
}

interface Ways {
  readonly edges: readonly Way[];
  readonly accepts: boolean;
}

const WAYS_MAX = 20_000;

/** The kind of what is before a text. */
const NOTHING: Kind = { isWord: false, endsLine: false, seenAs: new Set() };

export function readStates(source: string, flags: string): States {
  const automaton = readAutomaton(source, flags);
  const sets = automaton.edges.map((edge) => edge.set);
  const guards = automaton.steps.flat().map(({ guard }) => guard);
  const seen = guards.flatMap((guard) => (typeof guard === 'object' && guard !== null ? [guard.set] : []));
  const atoms = makeAtoms(sets, seen, flags);
  const kinds = [...atoms.kinds, NOTHING];
  const all = [...atoms.kindOf.keys()];
  const edgeAtoms = sets.map((set) => new Set(atoms.of(set)));
  const waysFrom = new Map<number, Ways>();
  const ways = (node: number): Ways => {
    const known = waysFrom.get(node) ?? findWays(automaton, node);
    waysFrom.set(node, known);
    return known;
  };
  const ids = new Map<string, number>();
  const states: { readonly edge: number; readonly kind: number }[] = [];
  const idOf = (edge: number, kind: number): number => {
    const name = `${edge} ${kind}`;
    const id = ids.get(name) ?? states.push({ edge, kind }) - 1;
    ids.set(name, id);
    return id;
  };
  const multiline = flags.includes('m');
  const follow = (node: number, before: number, atom: number): number[] => {
    const kind = atoms.kindOf[atom] as number;
    const holds = (guard: Guard) => mayHold(guard, kinds[before] as Kind, kinds[kind] as Kind, multiline);
    const open = ways(node).edges.filter(({ edge, guards }) => edgeAtoms[edge]?.has(atom) && guards.every(holds));
    return open.map(({ edge }) => idOf(edge, kind));
  };
  const nodeOf = (state: number): number => automaton.edges[states[state]?.edge as number]?.to as number;
  const kindOf = (state: number): number => states[state]?.kind as number;
  const firsts = kinds.map((_, before) => all.map((atom) => follow(automaton.entry, before, atom)));
  const table: number[][][] = [];
  // The table of one state may find others.
  for (let state = 0; state < states.length; state += 1)
    table.push(all.map((atom) => follow(nodeOf(state), kindOf(state), atom)));
  return {
    count: states.length,
    atoms: all.length,
    next: (state, atom) => table[state]?.[atom] ?? [],
    isFinal: (state) => ways(nodeOf(state)).accepts,
    first: (before, atom) => firsts[before]?.[atom] ?? [],
    kinds: atoms.kinds.length,
    kindOfAtom: (atom) => atoms.kindOf[atom] as number,
    kindOf,
  };
}

/** Every path. A loop round that consumes nothing does not count: no engine takes it. */
function findWays({ steps, edges, accept, loops }: Automaton, node: number): Ways {
  const found: Way[] = [];
  let accepts = false;
  const entered = new Set<number>();
  const bodies = new Set(loops.values());
  const edgesFrom = Map.groupBy(edges.keys(), (edge) => edges[edge]?.from);
  const walk = (at: number, guards: readonly Guard[]): void => {
    const body = loops.get(at);
    if (body !== undefined && entered.has(body)) return;
    if (bodies.has(at)) entered.add(at);
    if (at === accept && guards.length === 0) accepts = true;
    for (const edge of edgesFrom.get(at) ?? []) found.push({ edge, guards });
    if (found.length > WAYS_MAX) throw new Unjudged('it is too entangled');
    for (const { to, guard } of steps[at] ?? []) walk(to, guard === null ? guards : [...guards, guard]);
    entered.delete(at);
  };
  walk(node, []);
  return { edges: found, accepts };
}

function mayHold(guard: Guard, before: Kind, after: Kind, multiline: boolean): boolean {
  if (typeof guard === 'object') return before.seenAs.has(guard.set.raw) !== guard.negate;
  switch (guard) {
    case 'start':
      return before === NOTHING || (multiline && before.endsLine);
    case 'end':
      return multiline && after.endsLine;
    case 'boundary':
      return before.isWord !== after.isWord;
    case 'no-boundary':
      return before.isWord === after.isWord;
    case 'maybe':
      return true;
  }
}
