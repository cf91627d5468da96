/**
 * A pattern as the paths a backtracking engine can take through a text. Nodes are joined by steps that take no character,
 * some only if an assertion holds, and by edges that take one.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import type { CharacterSource } from './atoms.ts';

/** What must hold between two characters for a step to be taken; `maybe` is not decided here. */
export type Guard = 'start' | 'end' | 'boundary' | 'no-boundary' | 'maybe' | LooksBehind;

/** The character before is one of the set, or is not. */
export interface LooksBehind {
  readonly set: CharacterSource;
  readonly negate: boolean;
}

export interface Step {
  readonly to: number;
  readonly guard: Guard | null;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly set: CharacterSource;
}

export interface Automaton {
  readonly entry: number;
  readonly accept: number;
  /** By node. */
  readonly steps: readonly (readonly Step[])[];
  readonly edges: readonly Edge[];
  /** Of each endless loop, where its body ends → where it begins. */
  readonly loops: ReadonlyMap<number, number>;
}

/** What the checker cannot judge; the pattern must be written in another way. */
export class Unjudged extends Error {}

/** A repetition up to this many times is a constant; more counts as endless. */
const COPIES_MAX = 100;
const EDGES_MAX = 3_000;

export function readAutomaton(source: string, flags: string): Automaton {
  const unicode = flags.includes('u');
  const unicodeSets = flags.includes('v');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets });
  return new Builder().build(pattern);
}

class Builder {
  readonly #steps: Step[][] = [];
  readonly #edges: Edge[] = [];
  readonly #loops = new Map<number, number>();

  build(pattern: AST.Pattern): Automaton {
    const entry = this.#node();
    const accept = this.#alternatives(pattern.alternatives, entry);
    return { entry, accept, steps: this.#steps, edges: this.#edges, loops: this.#loops };
  }

  #node(): number {
    return this.#steps.push([]) - 1;
  }

  #step(from: number, to: number, guard: Guard | null = null): number {
    this.#steps[from]?.push({ to, guard });
    return to;
  }

  /** Each of these adds what it represents after the node `from`, and returns the node after it. */
  #alternatives(alternatives: readonly AST.Alternative[], from: number): number {
    const after = this.#node();
    for (const { elements } of alternatives) {
      let at = this.#step(from, this.#node());
      for (const element of elements) at = this.#element(element, at);
      this.#step(at, after);
    }
    return after;
  }

  #element(element: AST.Element, from: number): number {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, from);
      case 'Quantifier':
        return this.#quantifier(element, from);
      case 'Assertion':
        return this.#assertion(element, from);
      case 'Backreference':
        throw new Unjudged('a back reference');
      case 'ExpressionCharacterClass':
        throw new Unjudged('an operation of character classes');
      default:
        return this.#character(element, from);
    }
  }

  #character(set: CharacterSource, from: number): number {
    const to = this.#node();
    if (this.#edges.push({ from, to, set }) > EDGES_MAX) throw new Unjudged('it is too large');
    return to;
  }

  #quantifier({ min, max, element }: AST.Quantifier, from: number): number {
    let at = from;
    for (let copy = 0; copy < Math.min(min, COPIES_MAX); copy += 1) at = this.#element(element, at);
    if (max > COPIES_MAX) return this.#endless(element, at);
    const after = this.#node();
    // One inside the other: each number of times is reached in one way.
    for (let copy = min; copy < max; copy += 1) {
      this.#step(at, after);
      at = this.#element(element, this.#step(at, this.#node()));
    }
    return this.#step(at, after);
  }

  #endless(element: AST.QuantifiableElement, from: number): number {
    const body = this.#node();
    const after = this.#node();
    this.#step(from, body);
    this.#step(from, after);
    const back = this.#step(this.#element(element, body), this.#node());
    this.#step(back, body);
    this.#loops.set(back, body);
    return this.#step(back, after);
  }

  #assertion(assertion: AST.Assertion, from: number): number {
    switch (assertion.kind) {
      case 'start':
      case 'end':
        return this.#step(from, this.#node(), assertion.kind);
      case 'word':
        return this.#step(from, this.#node(), assertion.negate ? 'no-boundary' : 'boundary');
      case 'lookahead':
        // What it reads costs as much as what is taken; where it ends, nothing continues.
        this.#alternatives(assertion.alternatives, this.#step(from, this.#node()));
        return this.#step(from, this.#node(), 'maybe');
      case 'lookbehind':
        return this.#step(from, this.#node(), guardOf(assertion));
    }
  }
}

/** Optional characters, not decided here. They cost no more than they are. */
function guardOf({ alternatives, negate }: AST.LookbehindAssertion): Guard {
  const elements = alternatives.flatMap((alternative) => alternative.elements);
  if (!elements.every((element) => isCharacter(element) || isEdge(element)))
    throw new Unjudged('a look behind at more than characters');
  const [only] = elements;
  return elements.length === 1 && only !== undefined && isCharacter(only) ? { set: only, negate } : 'maybe';
}

function isCharacter(element: AST.Element): element is AST.Character | AST.CharacterSet | AST.CharacterClass {
  return element.type === 'Character' || element.type === 'CharacterSet' || element.type === 'CharacterClass';
}

function isEdge(element: AST.Element): boolean {
  return element.type === 'Assertion' && (element.kind === 'start' || element.kind === 'end');
}
