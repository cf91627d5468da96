/** Goal: memory always has the aliases of the database, by scope, whatever changes while it is being filled. Method: a real database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, projectId } from '../core/ids.ts';
import { openAliasesUnderTest } from '../storage/sqlite/engine/kysely-under-test.ts';
import type { AliasRule } from './alias.ts';
import { AliasMirror } from './alias-mirror.ts';
import type { AliasStore, NewAlias } from './ports.ts';

const [ACCOUNT, OTHER] = [accountId(1), accountId(2)];
const [PROJECT, SECOND, FOREIGN] = [projectId(1), projectId(2), projectId(3)];

test('the narrowest alias of a name is found: the project’s, then the account’s, then the installation’s', async () => {
  const { store, mirror } = await open();
  const shared = await store.create(alias('fast', 'lab/shared'));
  const ofAccount = await store.create(alias('fast', 'lab/account', { accountId: ACCOUNT }));
  const ofProject = await store.create(alias('fast', 'lab/project', { accountId: ACCOUNT, projectId: PROJECT }));
  assert.deepEqual(mirror.find('fast', user(ACCOUNT, PROJECT)), ofProject);
  assert.deepEqual(mirror.find('fast', user(ACCOUNT, SECOND)), ofAccount);
  assert.deepEqual(mirror.find('fast', user(OTHER, FOREIGN)), shared);
  assert.equal(mirror.find('slow', user(ACCOUNT, PROJECT)), undefined);
  for (const name of ['__proto__', 'constructor', ''])
    assert.equal(mirror.find(name, user(ACCOUNT, PROJECT)), undefined);
  await store.delete(ofProject?.id as never);
  assert.deepEqual(mirror.find('fast', user(ACCOUNT, PROJECT)), ofAccount);
  await store.delete(ofAccount?.id as never);
  assert.deepEqual(mirror.find('fast', user(ACCOUNT, PROJECT)), shared);
});

test('what is in force for a project is one alias of each name', async () => {
  const { store, mirror } = await open([rule('fixed', 'lab/fixed'), rule('hidden', 'lab/fixed')]);
  await store.create(alias('hidden', 'lab/stored'));
  await store.create(alias('zebra', 'lab/shared'));
  await store.create(alias('zebra', 'lab/project', { accountId: ACCOUNT, projectId: PROJECT }));
  await store.create(alias('mine', 'lab/account', { accountId: ACCOUNT }));
  const inForce = (account = ACCOUNT, project = PROJECT) =>
    mirror.inForce(user(account, project)).map(({ name, targets }) => `${name} ${targets[0]?.model}`);
  assert.deepEqual(inForce(), ['fixed lab/fixed', 'hidden lab/fixed', 'mine lab/account', 'zebra lab/project']);
  assert.deepEqual(inForce(ACCOUNT, SECOND), [
    'fixed lab/fixed',
    'hidden lab/fixed',
    'mine lab/account',
    'zebra lab/shared',
  ]);
  assert.deepEqual(inForce(OTHER, FOREIGN), ['fixed lab/fixed', 'hidden lab/fixed', 'zebra lab/shared']);
  assert.equal(mirror.find('hidden', user(OTHER, FOREIGN))?.targets[0]?.model, 'lab/fixed');
});

test('a renamed alias leaves nothing behind, and an older row changes nothing', async () => {
  const { store, mirror } = await open();
  const made = await store.create(alias('fast', 'lab/one', { accountId: ACCOUNT }));
  assert.ok(made);
  await store.update(made.id, { name: 'quick' });
  assert.deepEqual(
    [mirror.find('fast', user(ACCOUNT, PROJECT)), mirror.find('quick', user(ACCOUNT, PROJECT))?.name],
    [undefined, 'quick'],
  );
  mirror.follow({ id: made.id, seq: made.seq, alias: made });
  assert.equal(mirror.find('fast', user(ACCOUNT, PROJECT)), undefined);
});

test('what changes while the rows are being read is not undone by them', async () => {
  const { store, feed } = await openAliasesUnderTest();
  const [kept, gone] = [await store.create(alias('kept', 'lab/one')), await store.create(alias('gone', 'lab/one'))];
  assert.ok(kept && gone);
  const mirror = new AliasMirror();
  feed.subscribe('alias', (news) => mirror.follow(news));
  const slow: Pick<AliasStore, 'list'> = {
    async list() {
      const rows = await store.list();
      await store.update(kept.id, { choice: 'random' });
      await store.delete(gone.id);
      return rows;
    },
  };
  await mirror.load(slow);
  assert.deepEqual(
    mirror.all().map(({ name, choice }) => [name, choice]),
    [['kept', 'random']],
  );
});

async function open(fixed: readonly AliasRule[] = []) {
  const { store, feed } = await openAliasesUnderTest();
  const mirror = new AliasMirror(fixed);
  feed.subscribe('alias', (news) => mirror.follow(news));
  await mirror.load(store);
  return { store, mirror };
}

function user(account: typeof ACCOUNT, project: typeof PROJECT) {
  return { accountId: account, projectId: project };
}

function rule(name: string, model: string): AliasRule {
  return { name, choice: 'key', targets: [{ model, provider: null, weight: 1 }] };
}

function alias(name: string, model: string, scope: Partial<Pick<NewAlias, 'accountId' | 'projectId'>> = {}): NewAlias {
  return { accountId: null, projectId: null, ...scope, ...rule(name, model), createdAt: 1000 };
}
