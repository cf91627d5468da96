/**
 * Goal: nobody makes the gateway work more than in proportion to what they send, here with a request. Method: random bodies from
 * a grammar of what is repeated and nested (`linear/hostile-requests.ts`), each in two sizes; what every stage does with them is
 * counted (`linear/count-work.ts`), not timed. Four times the size may take four times the work, with a limit per byte.
 * Each family goes through a sample of the stages; `npm run prove -- linear` takes it through all.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { StopMatcher } from '../src/chat/stop-matcher.ts';
import { type AnyCallerDialect, callerDialects } from '../src/dialects/index.ts';
import { WorkCounter } from './linear/count-work.ts';
import { HOSTILE_REQUESTS } from './linear/hostile-bodies.ts';
import { hostileThoughts } from './linear/hostile-thoughts.ts';
import { FACTOR, judge, SAMPLE_SIZE, SLACK, WORK_SEED, WORK_SIZE } from './linear/judge.ts';
import { requestStages } from './linear/stages.ts';

const counter = new WorkCounter();
before(() => counter.open());
after(() => counter.close());

describe('requests', () => {
  for (const { name, sample } of HOSTILE_REQUESTS)
    test(name, async () => {
      await sample(counter, WORK_SEED, SAMPLE_SIZE);
    });
});

describe('the last signer of thoughts', () => {
  for (const dialect of Object.values<AnyCallerDialect>(callerDialects)) {
    if (dialect.lastSigner === undefined) continue;
    for (const { name, write } of hostileThoughts(dialect.name))
      test(`${dialect.name}: ${name}`, async () => {
        const stages = (bytes: Buffer) => requestStages(bytes, dialect, dialect.paths[0]);
        await judge(counter, { dialect, write, stages }, WORK_SEED, SAMPLE_SIZE, (stage) => stage === 'signer');
      });
  }
});

describe('the judge', () => {
  const stages = (text: string): Readonly<Record<string, () => unknown>> => {
    const words = text.split(' ');
    return {
      'each word once': () => words.map((word) => word.indexOf('y')),
      'each word among all': () => words.map((word) => words.indexOf(`${word}?`)),
      'all, for the result of each': () => words.map((word) => `${word}: ${words.join(' ')}`),
    };
  };
  const judged = (names: readonly string[]) =>
    judge(
      counter,
      {
        dialect: null,
        write: (_random, size) => 'x '.repeat(size),
        stages: (bytes) =>
          Object.fromEntries(Object.entries(stages(bytes.toString())).filter(([name]) => names.includes(name))),
      },
      WORK_SEED,
      WORK_SIZE,
    );

  test('accepts work in proportion to the bytes', async () => {
    await judged(['each word once']);
  });

  for (const quadratic of ['each word among all', 'all, for the result of each'])
    test(`finds a stage that works with the square of the bytes: ${quadratic}`, async () => {
      await assert.rejects(judged(['each word once', quadratic]), (error) => {
        assert.ok(error instanceof assert.AssertionError);
        assert.deepEqual(
          (error.actual as readonly string[]).map((line) => line.split(': ')[0]),
          [quadratic],
        );
        return true;
      });
    });
});

/** The text keeps almost becoming the long one; a released character is followed by another that waits. */
const STOPS = [`${'a'.repeat(2_000)}b`, 'aac', 'caa', 'ba'];
const ALMOST: readonly (readonly [string, (at: number) => string])[] = [
  ['a letter at a time', () => 'a'],
  ['in pieces that end in a beginning', (at) => (at % 3 === 0 ? 'xca' : 'xaa')],
];

describe('stop sequences', () => {
  for (const [name, piece] of ALMOST)
    test(`are looked for in work in proportion to the text, ${name}`, async () => {
      const search = (pieces: number) => () => {
        const matcher = new StopMatcher(STOPS);
        for (let at = 0; at < pieces; at += 1) matcher.push(piece(at));
        matcher.flush();
      };
      await counter.warm(search(8_000));
      await counter.forget();
      const few = await counter.of(search(8_000));
      const many = await counter.of(search(8_000 * FACTOR));
      assert.ok(many < SLACK * FACTOR * few, `${few} steps, ${many} for ${FACTOR} times the text`);
    });
});
