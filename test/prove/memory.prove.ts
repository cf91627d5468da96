/** A hundred bodies of 31 MiB at once, whole and then stalled: memory grows by `limits.memoryBytes` and a fifth at most. */
import { bodiesAtOnce, bodiesHold, describeBodies } from './support/bodies-at-once.ts';
import { prove } from './support/prove.ts';

const MIB = 1024 * 1024;

await prove('memory', async () => {
  const size = { bodies: 100, bodyBytes: 31 * MIB, memoryBytes: 1024 * MIB };
  const whole = await bodiesAtOnce({ ...size, stalled: false });
  const stalled = await bodiesAtOnce({ ...size, stalled: true });
  const failures = [bodiesHold(whole, size), bodiesHold(stalled, size)].filter((failure) => failure !== null);
  if (failures.length > 0) throw new Error(failures.join('; '));
  return `whole: ${describeBodies(whole)}; stalled: ${describeBodies(stalled)}`;
});
