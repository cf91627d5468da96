/**
 * Goal: whoever changes what callers or providers get in translation sees the change. Method: each dialect's requests and answers are read
 * into the neutral form, the neutral ones are written in each dialect, and all of it is compared with reviewed text.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { test } from 'node:test';
import {
  callerNames,
  neutralAnswers,
  neutralRequests,
  ownAnswers,
  providerNames,
  requestFixtures,
} from './fixtures.ts';
import { fullRequest, fullResponse, shortRequest, shortResponse } from './short-form.ts';
import { expectedFolder, snapshots } from './snapshots.ts';

const COMMAND = 'node test/golden/write-expected.ts';
const actual = snapshots();
const expected = expectedTexts();

test('every step of every dialect matches its expected text', () => {
  const wrong: string[] = [];
  for (const [path, text] of actual) {
    const difference = firstDifference(expected.get(path), text);
    if (difference !== null) wrong.push(`test/golden/expected/${path}: ${difference}`);
  }
  assert.equal(
    wrong.length,
    0,
    `${wrong.join('\n')}\nif this is meant: ${COMMAND}, read what it changes, then node scripts/build-reference.ts`,
  );
});

test('every expected file has a fixture', () => {
  const stale = [...expected.keys()].filter((path) => !actual.has(path));
  assert.deepEqual(stale, [], `if their fixtures are gone: ${COMMAND}`);
});

test('the output is the same every time', () => {
  assert.deepEqual([...snapshots()], [...actual]);
});

test('every fixture says what it is about, and no two of a list say the same', () => {
  const lists = [
    ...callerNames.map(requestFixtures),
    ...providerNames.map(ownAnswers),
    neutralRequests(),
    neutralAnswers(),
  ];
  for (const list of lists) {
    const abouts = list.map(({ about }) => about);
    assert.ok(abouts.every((about) => typeof about === 'string' && about !== ''));
    assert.deepEqual(
      abouts.filter((about, index) => abouts.indexOf(about) !== index),
      [],
    );
  }
});

test('the short form hides nothing', () => {
  for (const { request } of neutralRequests()) {
    const short = JSON.parse(JSON.stringify(shortRequest(request)));
    assert.deepEqual(fullRequest(short), request);
  }
  for (const { response } of neutralAnswers()) {
    if (response === null) continue;
    assert.deepEqual(fullResponse(JSON.parse(JSON.stringify(shortResponse(response)))), response);
  }
});

function expectedTexts(): ReadonlyMap<string, string> {
  const files = readdirSync(expectedFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = `${parentPath}${parentPath.endsWith(sep) ? '' : sep}${name}`;
      const path = file.split(sep).join('/').split('/golden/expected/')[1] ?? file;
      return [path, readFileSync(file, 'utf8')];
    }),
  );
}

/** Null if there is none. */
function firstDifference(before: string | undefined, after: string): string | null {
  if (before === after) return null;
  if (before === undefined) return 'there is no such file yet';
  const [were, are] = [before.split('\n'), after.split('\n')];
  const at = are.findIndex((line, index) => line !== were[index]);
  const line = at === -1 ? are.length : at;
  return `line ${line + 1}\n  was  ${were[line] ?? '(the end)'}\n  is   ${are[line] ?? '(the end)'}`;
}
