/**
 * What the programs of this folder share: where the gateway is, and one line of JSON a check on stdout. Each program runs one package as its
 * users do, against a model whose provider obeys `test/support/strict-commands.ts`.
 */
import assert from 'node:assert/strict';

export const { BASE, KEY, MODEL } = process.env;

/** Runs one check; a failure does not end the program. */
export async function check(name, run) {
  try {
    await run();
    report({ name, problem: null });
  } catch (error) {
    report({ name, problem: `${error?.name}: ${error?.message}`.slice(0, PROBLEM_LENGTH_MAX) });
  }
}

const PROBLEM_LENGTH_MAX = 1_000;

function report(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** What the provider's `call two` calls, and what they return. */
export const RESULTS = { get_weather: 'sunny', get_time: 'noon' };
export const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
export const ZONE = {
  type: 'object',
  properties: { zone: { type: 'string' } },
  required: ['zone'],
  additionalProperties: false,
};
/** What its `json` answers. */
export const WEATHER = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
};

/** The answer after both calls; some packages put fields around a result. */
export function assertResults(text) {
  assert.match(text, /^results: .*(sunny.* \| .*noon|noon.* \| .*sunny)/);
}

/** A picture of one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
