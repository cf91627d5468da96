/** As `linear-work-requests.test.ts`, for what providers answer (`linear/hostile-answers.ts`), whole and as streams. */
import { after, before, test } from 'node:test';
import { WorkCounter } from './linear/count-work.ts';
import { HOSTILE_ANSWERS } from './linear/hostile-bodies.ts';
import { WORK_SEED, WORK_SIZE } from './linear/judge.ts';

const counter = new WorkCounter();
before(() => counter.open());
after(() => counter.close());

for (const { name, judge } of HOSTILE_ANSWERS)
  test(name, async () => {
    await judge(counter, WORK_SEED, WORK_SIZE);
  });
