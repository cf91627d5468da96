/**
 * Goal: a value of the wrong type is not ignored in silence. Method: each field of every golden request gets values of other types; then
 * the request is refused, or a warning says so, or it is read as another request than the one without the field.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerNames, type RequestFixture, requestFixtures } from '../golden/fixtures.ts';
import { readFixture } from '../golden/translate.ts';
import { changed } from './json-places.ts';

for (const from of callerNames) {
  test(`${from}: a value of the wrong type is refused or reported`, () => {
    const fields = new Map<string, RequestFixture>();
    for (const fixture of requestFixtures(from)) for (const name in fixture.request) fields.set(name, fixture);
    assert.ok(fields.size >= 7, `only ${[...fields.keys()]}`);
    const ignored = [...fields].flatMap(([name, fixture]) =>
      [7, 'seven', ['seven'], { seven: 7 }]
        .filter((wrong) => isIgnored(fixture, name, wrong))
        .map((wrong) => [name, wrong]),
    );
    assert.deepEqual(ignored, takenAsTheyAre[from] ?? []);
  });
}

/** Right values: kept on the record of the call, reported for `include`, or further models to try. */
const takenAsTheyAre: { readonly [name: string]: readonly unknown[] } = {
  'openai-chat': [
    ['models', ['seven']],
    ['metadata', { seven: 7 }],
  ],
  'anthropic-messages': [['models', ['seven']]],
  'openai-responses': [
    ['client_metadata', { seven: 7 }],
    ['metadata', { seven: 7 }],
    ['top_logprobs', 7],
    ['models', ['seven']],
  ],
  gemini: [['labels', { seven: 7 }]],
};

function isIgnored(fixture: RequestFixture, name: string, wrong: unknown): boolean {
  const [read, without] = [wrong, undefined].map((value) =>
    readFixture({ ...fixture, request: changed(fixture.request, [name], value) as RequestFixture['request'] }),
  );
  if (read?.type !== 'read' || without?.type !== 'read') return false;
  return JSON.stringify({ ...read.request, forAnswer: 0 }) === JSON.stringify({ ...without.request, forAnswer: 0 });
}
