/** One proof as a program: a line of figures and exit 0, or the violation, the seed, and exit 1. */
import { seedOf } from './seeded.ts';

/** `run` throws if something does not hold; it returns its figures. */
export async function prove(name: string, run: (seed: number) => Promise<string>): Promise<void> {
  const seed = seedOf();
  const startedAt = performance.now();
  try {
    const figures = await run(seed);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stdout.write(`${name}: ${figures} (${seconds} s, seed ${seed})\n`);
  } catch (error) {
    process.stdout.write(`${name}: VIOLATED; again with TURNPIKE_PROVE_SEED=${seed}\n`);
    console.error(error);
    // Whatever is still open would keep a failed proof from exiting.
    process.exit(1);
  }
}
