/**
 * Finds the end of an answer in a text that arrives in pieces: the first place where one of several sequences is complete. Text is withheld
 * only while it may be the beginning of one.
 *
 * The sequences are one automaton, so that each character is read once, whatever their number:
 * https://en.wikipedia.org/wiki/Aho%E2%80%93Corasick_algorithm
 */
export class StopMatcher {
  /** The sequence that was found, or null. */
  found: string | null = null;
  readonly #states: readonly State[];
  #state: State;
  /** Withheld pieces, of the first of which `#skipped` characters have been released. */
  #pieces: string[] = [];
  #skipped = 0;

  /** None of `sequences` is empty. */
  constructor(sequences: readonly string[]) {
    this.#states = statesOf(sequences);
    this.#state = this.#states[0] as State;
  }

  /** The text that can be released now: nothing after a sequence is, nor the sequence itself. */
  push(text: string): string {
    if (this.found !== null) return '';
    const before = this.#state.depth;
    this.#pieces.push(text);
    for (let at = 0; at < text.length; at += 1) {
      this.#state = this.#next(this.#state, text.charCodeAt(at));
      const { match } = this.#state;
      if (match === null) continue;
      this.found = match;
      const released = this.#take(before + at + 1 - match.length);
      this.#pieces = [];
      return released;
    }
    return this.#take(before + text.length - this.#state.depth);
  }

  /** The text has ended: what was withheld. */
  flush(): string {
    const rest = this.#take(this.#state.depth);
    this.#state = this.#states[0] as State;
    return rest;
  }

  /** The first `length` characters of what is withheld. */
  #take(length: number): string {
    let taken = '';
    let used = 0;
    while (taken.length < length) {
      const piece = this.#pieces[used] as string;
      const wanted = length - taken.length;
      const part = piece.slice(this.#skipped, this.#skipped + wanted);
      taken += part;
      this.#skipped += part.length;
      if (this.#skipped < piece.length) break;
      this.#skipped = 0;
      used += 1;
    }
    if (used > 0) this.#pieces = this.#pieces.slice(used);
    return taken;
  }

  #next(from: State, code: number): State {
    let state = from;
    for (;;) {
      const next = state.next.get(code);
      if (next !== undefined) return this.#states[next] as State;
      if (state.depth === 0) return state;
      state = this.#states[state.fallback] as State;
    }
  }
}

/** What may still become a sequence: the first `depth` characters of one. */
interface State {
  readonly depth: number;
  readonly next: Map<number, number>;
  /** The state of the longest end of these characters that begins another sequence. */
  fallback: number;
  /** The longest sequence that these characters end with. */
  match: string | null;
}

function statesOf(sequences: readonly string[]): readonly State[] {
  const states: State[] = [{ depth: 0, next: new Map(), fallback: 0, match: null }];
  for (const sequence of sequences) {
    let at = 0;
    for (let index = 0; index < sequence.length; index += 1) {
      const { next } = states[at] as State;
      const code = sequence.charCodeAt(index);
      const known = next.get(code);
      at = known ?? states.length;
      if (known !== undefined) continue;
      next.set(code, at);
      states.push({ depth: index + 1, next: new Map(), fallback: 0, match: null });
    }
    (states[at] as State).match = sequence;
  }
  addFallbacks(states);
  return states;
}

/** Breadth first: the fallback of a state is shorter, so it is complete already. */
function addFallbacks(states: readonly State[]): void {
  const queue = [...(states[0] as State).next.values()];
  for (let first = 0; first < queue.length; first += 1) {
    const state = states[queue[first] as number] as State;
    for (const [code, index] of state.next) {
      const next = states[index] as State;
      next.fallback = fallbackOf(states, state, code);
      next.match ??= (states[next.fallback] as State).match;
      queue.push(index);
    }
  }
}

function fallbackOf(states: readonly State[], parent: State, code: number): number {
  let at = parent.fallback;
  for (;;) {
    const state = states[at] as State;
    const next = state.next.get(code);
    if (next !== undefined) return next;
    if (at === 0) return 0;
    at = state.fallback;
  }
}
