/** Every family of hostile bodies, with the stages that work on it. */
import { type AnyCallerDialect, callerDialects, providerDialects } from '../../src/dialects/index.ts';
import type { WorkCounter } from './count-work.ts';
import { ANSWER_FAMILIES } from './hostile-answers.ts';
import { pathOf, REQUEST_FAMILIES } from './hostile-requests.ts';
import { judge } from './judge.ts';
import { answerStages, requestStages, streamStages } from './stages.ts';

export interface HostileBody {
  readonly name: string;
  /** As `judge`. */
  judge(counter: WorkCounter, seed: number, size: number): Promise<number>;
}

export const HOSTILE_REQUESTS: readonly HostileBody[] = REQUEST_FAMILIES.map((family) => {
  const { name, dialect, write } = family;
  const path = pathOf(family);
  const stages = (bytes: Buffer, callers: AnyCallerDialect) => requestStages(bytes, callers, path);
  return {
    name: `${dialect}: ${name}`,
    judge: (counter, seed, size) => judge(counter, { write, dialect: callerDialects[dialect], stages }, seed, size),
  };
});

export const HOSTILE_ANSWERS: readonly HostileBody[] = ANSWER_FAMILIES.map(({ name, dialect, isStream, write }) => ({
  name: `${dialect}${isStream ? ', a stream' : ''}: ${name}`,
  judge: (counter, seed, size) =>
    judge(
      counter,
      { write, dialect: providerDialects[dialect], stages: isStream ? streamStages : answerStages },
      seed,
      size,
    ),
}));
