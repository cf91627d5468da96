// Goal: every page is free of faults at 375 px. Method: the real program with weeks of calls, a real Chromium; axe-core, the
// width, browser complaints, and a screenshot of each. In dark, as `pages-desk.test.ts` is in light; both in `npm run prove -- pages`.
import { after, before, test } from 'node:test';
import { closeBrowser, Person, PHONE } from './browser.ts';
import { emptyStops } from './furnished.ts';
import { OPERATOR, signIn } from './operator.ts';
import { tour } from './page-tour.ts';
import { namesOf, schemesOf } from './schemes.ts';
import { type BorrowedServer, borrowServer } from './shared-servers.ts';

const SCHEMES = schemesOf('dark');

let furnished: BorrowedServer;
before(async () => {
  furnished = await borrowServer('furnished');
});
after(async () => {
  await closeBrowser();
  await furnished?.giveBack();
});

test(`every page at 375 px, in ${namesOf(SCHEMES)}`, async () => {
  const person = await Person.at(furnished.url, PHONE, 'dark');
  await signIn(person, OPERATOR);
  await tour(person, furnished.stops, 'phone', SCHEMES);
  await person.leave();
});

test(`every page of a new installation, at 375 px, in ${namesOf(SCHEMES)}`, async () => {
  const server = await borrowServer('new');
  try {
    const person = await Person.at(server.url, PHONE, 'dark');
    await signIn(person, OPERATOR);
    await tour(person, emptyStops(), 'phone', SCHEMES);
    await person.leave();
  } finally {
    await server.giveBack();
  }
});
