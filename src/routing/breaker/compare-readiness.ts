import type { Readiness, Resting } from '../ports.ts';

/** Ready, then one that may be probed, then the rest that ends first; the first of equals. */
export function betterOf(one: Readiness, other: Readiness): Readiness {
  if (one === 'ready' || other === 'ready') return one === 'ready' ? one : other;
  if (one === 'probing' || other === 'probing') return one === 'probing' ? one : other;
  return (other as Resting).until < (one as Resting).until ? other : one;
}

/** The other one of the two; the second of equals. */
export function worseOf(one: Readiness, other: Readiness): Readiness {
  return betterOf(one, other) === one ? other : one;
}
