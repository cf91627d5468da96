// Goal: every page holds at 375 px, in light and in dark. Method: the real program with weeks of calls, a real
// Chromium; axe-core, the width, whatever the browser complains of, and a picture of each.
import { after, before, test } from 'node:test';
import { closeBrowser, Person, PHONE } from './browser.ts';
import { emptyStops } from './furnished.ts';
import { OPERATOR, signIn } from './operator.ts';
import { tour } from './page-tour.ts';
import { type BorrowedServer, borrowServer } from './shared-servers.ts';

let furnished: BorrowedServer;
before(async () => {
  furnished = await borrowServer('furnished');
});
after(async () => {
  await closeBrowser();
  await furnished?.giveBack();
});

test('every page at 375 px', async () => {
  const person = await Person.at(furnished.url, PHONE);
  await signIn(person, OPERATOR);
  await tour(person, furnished.stops, 'phone');
  await person.leave();
});

test('every page of an installation that is new, at 375 px', async () => {
  const server = await borrowServer('new');
  try {
    const person = await Person.at(server.url, PHONE);
    await signIn(person, OPERATOR);
    await tour(person, emptyStops(), 'phone');
    await person.leave();
  } finally {
    await server.giveBack();
  }
});
