/** Which values are judged in which fixtures: all, or a sample in which each name occurs, and each fixture. */
import { seeded } from '../prove/support/seeded.ts';

/** Whether what has this name is judged. */
export type IsChosen = (name: string) => boolean;

/** For each fixture, from the names of what could be judged in it. */
export type Choose = (names: readonly (readonly string[])[]) => readonly IsChosen[];

export const chooseAll: Choose = (names) => names.map(() => () => true);

/** Each name in `times` fixtures that have it, or in all if they are fewer, and at least one name in each fixture. The seed decides which. */
export function chooseSome(times: number, seed: number): Choose {
  return (names) => {
    const random = seeded(seed);
    const chosen = names.map(() => new Set<string>());
    const holders = new Map<string, number[]>();
    for (const [at, own] of names.entries()) {
      for (const name of new Set(own)) {
        const known = holders.get(name);
        if (known === undefined) holders.set(name, [at]);
        else known.push(at);
      }
    }
    for (const [name, fixtures] of holders) {
      const first = Math.floor(random() * fixtures.length);
      for (let turn = 0; turn < Math.min(times, fixtures.length); turn += 1)
        chosen[fixtures[(first + turn) % fixtures.length] as number]?.add(name);
    }
    for (const [at, own] of names.entries()) {
      const one = own[Math.floor(random() * own.length)];
      if (chosen[at]?.size === 0 && one !== undefined) chosen[at]?.add(one);
    }
    return chosen.map((own) => (name) => own.has(name));
  };
}
