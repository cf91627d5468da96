// Goal: every page holds at 375 px, in light and in dark. Method: the real program with weeks of calls, a real
// Chromium; axe-core, the width, whatever the browser complains of, and a picture of each.
import { after, before, test } from 'node:test';
import { closeBrowser, Person, PHONE } from './browser.ts';
import { emptyStops, type Furnished, furnish } from './furnished.ts';
import { tour } from './page-tour.ts';
import { startSeededServer } from './seeded-server.ts';
import { OPERATOR, setUp, signIn } from './stage.ts';

let furnished: Furnished;
before(async () => {
  furnished = await furnish();
});
after(async () => {
  await closeBrowser();
  await furnished?.close();
});

test('every page at 375 px', async () => {
  const person = await Person.at(furnished.server.url, PHONE);
  await signIn(person, OPERATOR);
  await tour(person, furnished.stops, 'phone');
  await person.leave();
});

test('every page of an installation that is new, at 375 px', async () => {
  const server = await startSeededServer(0, { demo: false });
  try {
    await setUp(server.setUpLink);
    const person = await Person.at(server.url, PHONE);
    await signIn(person, OPERATOR);
    await tour(person, emptyStops(), 'phone');
    await person.leave();
  } finally {
    await server.remove();
  }
});
