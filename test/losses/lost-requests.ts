/** What the translations of requests lose in silence, except what the list without effect and the reports have. */
import type { CallerDialectName } from '../../src/dialects/index.ts';
import type { RequestFixture } from '../golden/fixtures.ts';
import type { Choose } from './sample.ts';
import { type Silence, SilenceFinder } from './silent-requests.ts';
import { reports, type WithoutEffect, withoutEffect } from './without-effect.ts';

export interface LostOfRequests {
  /** A line for each. */
  readonly lost: readonly string[];
  /** How many requests were read. */
  readonly tried: number;
}

/** `once`: as `SilenceFinder.find`. The entries of the list that occur are added to `used`. */
export function lostOfRequests(
  from: CallerDialectName,
  fixtures: readonly RequestFixture[],
  choose: Choose,
  { once = false, used = new Set<WithoutEffect>() } = {},
): LostOfRequests {
  const finder = new SilenceFinder(from);
  const lost = new Set<string>();
  const chosen = choose(fixtures.map((fixture) => finder.namesOf(fixture, once)));
  for (const [at, fixture] of fixtures.entries())
    for (const silence of finder.find(fixture, once, chosen[at])) note(silence, lost, used);
  return { lost: [...lost], tried: finder.tried };
}

function note(silence: Silence, lost: Set<string>, used: Set<WithoutEffect>): void {
  const { from, to, place, value, fixture, target, warnings } = silence;
  if (reports.some((report) => report.places.test(place) && warnings.some((text) => report.warning.test(text)))) return;
  const listed = withoutEffect[from].find(
    (entry) => entry.places.test(place) && (entry.to?.test(to) ?? true) && (entry.when?.(silence) ?? true),
  );
  if (listed !== undefined) used.add(listed);
  else lost.add(`${place} = ${JSON.stringify(value)?.slice(0, 60)} in ${fixture}, for ${target} of ${to}`);
}
