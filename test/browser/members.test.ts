// Goal: people join by invitation, see what their role allows, and lose it immediately. Method: a browser context
// for each, against a real gateway.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, Person } from './browser.ts';
import { OPERATOR, send } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let owner: Person;
const guests: Person[] = [];
before(async () => {
  stage = await openStage();
  owner = await stage.operator();
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

const DEVELOPER = { name: 'Linus', email: 'linus@example.com', password: 'a plain long sentence' };
const VIEWER = { name: 'Grace', email: 'grace@example.com', password: 'another plain sentence' };

/** Creates the link on the page, as the owner does. */
async function linkFor(role: 'Developer' | 'Viewer', email: string): Promise<string> {
  const { page } = owner;
  await owner.visit('/members');
  await page.getByRole('button', { name: 'Invite member' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const made = page.getByRole('dialog', { name: 'Share this link' });
  const link = await made.getByLabel('Invitation link').inputValue();
  await made.getByRole('button', { name: 'Done' }).click();
  return link;
}

async function join(link: string, who: typeof DEVELOPER): Promise<Person> {
  const guest = await Person.at(stage.url);
  guests.push(guest);
  const { page } = guest;
  await page.goto(link);
  await page.getByRole('heading', { name: /^Join / }).waitFor();
  await page.getByLabel('Your name').fill(who.name);
  assert.deepEqual(await guest.barriers(), []);
  await guest.picture('invitation');
  assert.equal(await page.getByLabel('Email').inputValue(), who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return guest;
}

async function createAsKey(secret: string, name: string): Promise<void> {
  const answer = await fetch(`${stage.url}/api/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  assert.equal(answer.status, 201);
}

function mainMenu({ page }: Person): Promise<string[]> {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
}

test('roles, from the invitation to the removal', async (t) => {
  let developer: Person;
  let viewer: Person;

  await t.test('both join by a link', async () => {
    developer = await join(await linkFor('Developer', DEVELOPER.email), DEVELOPER);
    viewer = await join(await linkFor('Viewer', VIEWER.email), VIEWER);
    await owner.page.goto('/members');
    await owner.page.getByText(VIEWER.email).waitFor();
  });

  await t.test('neither sees operator pages', async () => {
    for (const person of [developer, viewer]) {
      const menu = await mainMenu(person);
      assert.ok(
        menu.includes('API keys') &&
          !menu.includes('Providers') &&
          !menu.includes('Accounts') &&
          !menu.includes('Audit log'),
        menu.join(),
      );
      for (const path of ['/providers', '/audit']) {
        await person.page.goto(path);
        await person.page.getByText('Page not found').first().waitFor();
      }
    }
  });

  await t.test('a developer creates keys, but no projects', async () => {
    const { page } = developer;
    await developer.visit('/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name optional').fill('of Linus');
    assert.equal(await dialog.getByRole('radio').count(), 0, 'management keys are for admins');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await developer.visit('/projects');
    assert.equal(await page.getByRole('button', { name: 'Create project' }).count(), 0);
    await developer.visit('/members');
    assert.equal(await page.getByRole('button', { name: 'Invite member' }).count(), 0);
  });

  await t.test('a viewer sees the key, but changes nothing', async () => {
    const { page } = viewer;
    await viewer.visit('/keys');
    await page.getByText('of Linus').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create key' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Actions for of Linus' }).count(), 0);
  });

  await t.test('another role applies immediately', async () => {
    const { page } = owner;
    await owner.visit('/members');
    await page.getByRole('button', { name: `Actions for ${VIEWER.name}` }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    const dialog = page.getByRole('dialog', { name: `Change role of ${VIEWER.name}` });
    await dialog.getByRole('radio', { name: /^Developer/ }).check();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await viewer.page.reload();
    await viewer.page.getByRole('button', { name: 'Create key' }).first().waitFor();
  });

  await t.test('revoking a management key shows the keys it created, and can revoke them too', async () => {
    const { page } = owner;
    const made = await send<{ readonly key: string }>(owner, 'POST', '/keys', { name: 'robot', kind: 'management' });
    for (const name of ['nightly build', 'preview']) await createAsKey(made.key, name);
    await owner.visit('/keys');
    await page.getByRole('button', { name: 'Actions for robot' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke robot?' });
    await dialog.getByRole('list', { name: 'Keys created by this key' }).getByText('nightly build').waitFor();
    await dialog.getByLabel('Also revoke these 2 keys').check();
    await dialog.getByRole('textbox').fill('robot');
    assert.deepEqual(await owner.barriers(), []);
    await owner.picture('revoke-management-key');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('nightly build').waitFor({ state: 'detached' });
  });

  await t.test('a removed member is signed out of the account immediately', async () => {
    const { page } = owner;
    await owner.visit('/members');
    await page.getByRole('button', { name: `Actions for ${DEVELOPER.name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: `Remove ${DEVELOPER.name}?` });
    await dialog.getByText('of Linus').waitFor();
    await owner.picture('remove-member');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.waitFor({ state: 'detached' });
    // They had a page open; its next request leads to the sign-in page.
    await developer.page.getByRole('link', { name: 'Usage', exact: true }).click();
    await developer.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  await t.test('a person with an account joins another one with the same password', async () => {
    const { data } = await send<{ readonly data: { readonly id: number } }>(owner, 'POST', '/accounts', {
      name: 'Second',
    });
    const made = await send<{ readonly link: string }>(owner, 'POST', `/invitations?account=${data.id}`, {
      role: 'viewer',
    });
    const guest = await Person.at(stage.url);
    guests.push(guest);
    const { page } = guest;
    await page.goto(made.link);
    await page.getByLabel('Your name').fill(VIEWER.name);
    await page.getByLabel('Email').fill(VIEWER.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password of Grace');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('If you already have an account with this email').waitFor();
    assert.deepEqual(await guest.barriers(), []);
    await guest.picture('invitation-known');
    await page.getByLabel('Password', { exact: true }).fill(VIEWER.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // The refused password is the browser's only complaint.
    guest.complaints.splice(0);
  });

  await t.test('an operator disables a person, who is signed out immediately, and enables them', async () => {
    const { page } = owner;
    await owner.visit('/people');
    await page.getByRole('button', { name: `Actions for ${VIEWER.name}` }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    const dialog = page.getByRole('dialog', { name: `Disable ${VIEWER.name}?` });
    await owner.picture('disable-person');
    assert.deepEqual(await owner.barriers(), []);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('disabled', { exact: true }).waitFor();
    await viewer.page.getByRole('link', { name: 'Usage', exact: true }).click();
    await viewer.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: `Actions for ${VIEWER.name}` }).click();
    await page.getByRole('menuitem', { name: 'Enable', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await page.getByText('disabled', { exact: true }).waitFor({ state: 'detached' });
  });

  await t.test('the last operator cannot be removed, and the page says why', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: `Actions for ${OPERATOR.name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove operator role' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove yourself as operator?' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText(/last operator who can sign in/).waitFor();
    await owner.picture('last-operator');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await owner.visit('/members');
  });

  await t.test('the last owner can neither leave nor be demoted', async () => {
    // Someone who is only an owner: an operator sees every account anyway.
    const { page } = owner;
    const self = await send<{ readonly data: readonly { readonly user: { readonly id: number; email: string } }[] }>(
      owner,
      'GET',
      '/members',
    );
    const isMember = self.data.some(({ user }) => user.email === OPERATOR.email);
    assert.ok(isMember, 'the operator owns the first account');
    await page.reload();
    await page.getByRole('button', { name: `Actions for ${OPERATOR.name}` }).click();
    await page.getByText('An account needs at least one owner.').waitFor();
    for (const name of [/^Change role/, /^Leave account/])
      assert.equal(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled'), 'true');
  });

  assert.deepEqual(
    [owner, ...guests].flatMap(({ complaints }) => complaints),
    [],
  );
});
