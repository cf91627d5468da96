/**
 * Goal: a translated request loses nothing in silence. Method: in every golden request of every caller's format each value is changed or
 * removed, each field that the format has elsewhere is added, and so is one that nobody knows; for every provider's format the result must
 * then be another request, another warning or a refusal. What has no effect is in a list, from which docs/reference/translation.md is made.
 * Recorded requests, no part of the project, come from `TURNPIKE_RECORDINGS`; without them their test says so and is skipped.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerNames, requestFixtures } from '../golden/fixtures.ts';
import { recordedRequests } from '../golden/recorded-requests.ts';
import { recordings, skip } from '../golden/recordings.ts';
import { type Silence, SilenceFinder } from './silent-requests.ts';
import { reports, type WithoutEffect, withoutEffect } from './without-effect.ts';

const used = new Set<WithoutEffect>();

for (const from of callerNames) {
  test(`${from}: no field of a request is left out in silence`, (context) => {
    const finder = new SilenceFinder(from);
    const lost = new Set<string>();
    for (const fixture of requestFixtures(from)) for (const silence of finder.find(fixture)) note(silence, lost);
    assert.deepEqual([...lost], []);
    assert.ok(finder.tried >= 10_000, `only ${finder.tried} requests were read`);
    context.diagnostic(`${finder.tried} requests`);
  });

  test(`${from}: nor of a request that a real client sent`, { skip }, (context) => {
    const finder = new SilenceFinder(from);
    const lost = new Set<string>();
    const requests = recordedRequests(recordings, from);
    for (const fixture of requests) for (const silence of finder.find(fixture, true)) note(silence, lost);
    assert.deepEqual([...lost], []);
    assert.ok(requests.length >= 20, `only ${requests.length} requests were found`);
    context.diagnostic(`${requests.length} recorded requests, ${finder.tried} in all`);
  });
}

test('everything in the list without effect occurs', () => {
  assert.deepEqual(
    callerNames.flatMap((from) =>
      withoutEffect[from].filter((entry) => !used.has(entry)).map(({ fields }) => `${from}: ${fields}`),
    ),
    [],
    'it has an effect, or is reported: take it out of the list',
  );
});

function note(silence: Silence, lost: Set<string>): void {
  const { from, to, place, value, fixture, target, warnings } = silence;
  if (reports.some((report) => report.places.test(place) && warnings.some((text) => report.warning.test(text)))) return;
  const listed = withoutEffect[from].find(
    (entry) => entry.places.test(place) && (entry.to?.test(to) ?? true) && (entry.when?.(silence) ?? true),
  );
  if (listed !== undefined) used.add(listed);
  else lost.add(`${place} = ${JSON.stringify(value)?.slice(0, 60)} in ${fixture}, for ${target} of ${to}`);
}
