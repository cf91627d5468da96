/** Repeatable random numbers: the same seed gives the same numbers. */

/** From 0 to below 1. The generator is `mulberry32`: small, and even enough to choose moments and cases with. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `most`. */
export function between(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** `TURNPIKE_PROVE_SEED`, else a new one. */
export function seedOf(environment: NodeJS.ProcessEnv = process.env): number {
  const given = environment['TURNPIKE_PROVE_SEED'];
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
}

/** How often to do it: the variable's number, else `standard`. */
export function countFrom(variable: string, standard: number): number {
  const given = process.env[variable];
  return given === undefined ? standard : Number(given);
}
