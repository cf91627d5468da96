// Goal: every page is free of faults at 1440 px, in light; in dark, too, in `npm run prove -- pages`. Method: the real program with weeks of calls, a real
// Chromium; axe-core, the width, browser complaints, and a screenshot of each.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, DESK, Person } from './browser.ts';
import { emptyStops } from './furnished.ts';
import { OPERATOR, signIn } from './operator.ts';
import { everyRoute, fits, tour } from './page-tour.ts';
import { namesOf, schemesOf } from './schemes.ts';
import { type BorrowedServer, borrowServer } from './shared-servers.ts';

const SCHEMES = schemesOf('light');

let furnished: BorrowedServer;
before(async () => {
  furnished = await borrowServer('furnished');
});
after(async () => {
  await closeBrowser();
  await furnished?.giveBack();
});

/** They need links: `sign-in.test.ts`, `members.test.ts` and `sub-path.test.ts` go there. */
const ENTRANCE = ['/sign-in', '/setup', '/invite', '/forgotten', '/reset', '/sign-up', '/confirm'];

test('every page is on the tour', () => {
  const addresses = furnished.stops.map(({ address }) => address);
  const missed = everyRoute().filter((route) => !addresses.some((address) => fits(route, address)));
  assert.deepEqual(missed, ENTRANCE);
});

test(`every page at 1440 px, in ${namesOf(SCHEMES)}`, async () => {
  const person = await Person.at(furnished.url, DESK);
  await signIn(person, OPERATOR);
  await tour(person, furnished.stops, 'desk', SCHEMES);
  await person.leave();
});

test(`every page of a new installation, at 1440 px, in ${namesOf(SCHEMES)}`, async () => {
  const server = await borrowServer('new');
  try {
    const person = await Person.at(server.url, DESK);
    await signIn(person, OPERATOR);
    await tour(person, emptyStops(), 'desk', SCHEMES);
    await person.leave();
  } finally {
    await server.giveBack();
  }
});
