/** What `test/linear-work-*.test.ts` does with one seed and some stages, with several and all: each seed makes other bodies of the same families. */
import { WorkCounter } from '../../linear/count-work.ts';
import { HOSTILE_ANSWERS, HOSTILE_REQUESTS } from '../../linear/hostile-bodies.ts';
import { WORK_SIZE } from '../../linear/judge.ts';

/** Returns figures; throws after the last body if a stage worked too much for any of them. */
export async function linear(seeds: number, firstSeed: number): Promise<string> {
  const bodies = [...HOSTILE_REQUESTS, ...HOSTILE_ANSWERS];
  const failures: Error[] = [];
  let most = { perByte: 0, name: '' };
  const counter = new WorkCounter();
  await counter.open();
  try {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1)
      for (const { name, judge } of bodies) {
        try {
          const perByte = await judge(counter, seed, WORK_SIZE);
          if (perByte > most.perByte) most = { perByte, name };
        } catch (error) {
          failures.push(new Error(`${name}, with seed ${seed}`, { cause: error }));
        }
      }
  } finally {
    counter.close();
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} bodies are too much work`);
  return `${bodies.length} bodies of ${seeds} seeds each, at most ${most.perByte.toFixed(1)} steps a byte (${most.name})`;
}
