/** As `linear-work-requests.test.ts`, for what providers answer (`linear/hostile-answers.ts`), whole and as streams. */
import { after, before, test } from 'node:test';
import { WorkCounter } from './linear/count-work.ts';
import { HOSTILE_ANSWERS } from './linear/hostile-bodies.ts';
import { SAMPLE_SIZE, WORK_SEED } from './linear/judge.ts';

const counter = new WorkCounter();
before(() => counter.open());
after(() => counter.close());

for (const { name, sample } of HOSTILE_ANSWERS)
  test(name, async () => {
    await sample(counter, WORK_SEED, SAMPLE_SIZE);
  });
