/** Every family of hostile bodies, with the stages that work on it. */
import { type AnyCallerDialect, callerDialects, providerDialects } from '../../src/dialects/index.ts';
import type { WorkCounter } from './count-work.ts';
import { ANSWER_FAMILIES } from './hostile-answers.ts';
import { FORMAT_ANSWERS, formatStages } from './hostile-formats.ts';
import { FORM_FAMILIES, formStages } from './hostile-forms.ts';
import { PART_ANSWERS, partStages } from './hostile-parts.ts';
import { pathOf, REQUEST_FAMILIES } from './hostile-requests.ts';
import { type ChooseStage, judge } from './judge.ts';
import { answerStages, requestStages, streamStages } from './stages.ts';

export interface HostileBody {
  readonly name: string;
  /** As `judge`. */
  judge(counter: WorkCounter, seed: number, size: number, isChosen?: ChooseStage): Promise<number>;
  /** As `judge`, for a few stages; see `isInSample`. */
  sample(counter: WorkCounter, seed: number, size: number): Promise<number>;
}

const REQUESTS: readonly HostileBody[] = REQUEST_FAMILIES.map((family, turn) => {
  const { name, dialect, write } = family;
  const path = pathOf(family);
  const stages = (bytes: Buffer, callers: AnyCallerDialect) => requestStages(bytes, callers, path);
  return body(`${dialect}: ${name}`, dialect, turn, (counter, seed, size, isChosen) =>
    judge(counter, { write, dialect: callerDialects[dialect], stages }, seed, size, isChosen),
  );
});

const FORMS: readonly HostileBody[] = FORM_FAMILIES.map(({ name, write }) => {
  const made = (counter: WorkCounter, seed: number, size: number, isChosen?: ChooseStage) =>
    judge(counter, { write, dialect: null, stages: formStages }, seed, size, isChosen);
  return { name: `a form: ${name}`, judge: made, sample: made };
});

export const HOSTILE_REQUESTS: readonly HostileBody[] = [...REQUESTS, ...FORMS];

const ANSWERS_OF_DIALECTS: readonly HostileBody[] = ANSWER_FAMILIES.map(({ name, dialect, isStream, write }, turn) => {
  const stages = isStream ? streamStages : answerStages;
  return body(`${dialect}${isStream ? ', a stream' : ''}: ${name}`, dialect, turn, (counter, seed, size, isChosen) =>
    judge(counter, { write, dialect: providerDialects[dialect], stages }, seed, size, isChosen),
  );
});

const ANSWERS_OF_PARTS: readonly HostileBody[] = PART_ANSWERS.map((answer) => {
  const { name, write } = answer;
  const made = (counter: WorkCounter, seed: number, size: number, isChosen?: ChooseStage) =>
    judge(
      counter,
      { write, dialect: providerDialects['openai-chat'], stages: partStages(answer) },
      seed,
      size,
      isChosen,
    );
  return { name, judge: made, sample: made };
});

const ANSWERS_OF_FORMATS: readonly HostileBody[] = FORMAT_ANSWERS.map((answer) => {
  const { name, write } = answer;
  const made = (counter: WorkCounter, seed: number, size: number, isChosen?: ChooseStage) =>
    judge(counter, { write, dialect: null, stages: formatStages(answer) }, seed, size, isChosen);
  return { name, judge: made, sample: made };
});

export const HOSTILE_ANSWERS: readonly HostileBody[] = [
  ...ANSWERS_OF_DIALECTS,
  ...ANSWERS_OF_PARTS,
  ...ANSWERS_OF_FORMATS,
];

function body(name: string, dialect: string, turn: number, judge: HostileBody['judge']): HostileBody {
  const isChosen = isInSample(dialect, turn);
  return { name, judge, sample: (counter, seed, size) => judge(counter, seed, size, isChosen) };
}

const EVERY = 4;

/** What writes the family's own format, and every fourth stage; which ones, changes from family to family. */
function isInSample(dialect: string, turn: number): ChooseStage {
  return (name, at) => name === `write for ${dialect}` || (at + turn) % EVERY === 0;
}
