/**
 * Goal: a closed account accepts no keys and gets nothing new, even if its closing was interrupted at any step. Method: real registries
 * over a database whose store fails after a given number of changes.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AccountId, accountId, type KeyId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import type { SqlAccountStore } from '../storage/sql/accounts.ts';
import { accountsOf, type KyselyUnderTest, openKyselyUnderTest } from '../storage/sqlite/engine/kysely-under-test.ts';
import { authenticate } from './authenticate.ts';
import { type ClosingParts, closeAccount, finishClosings } from './close-account.ts';
import { KeyRegistry } from './key-registry.ts';
import { openMirror } from './open-mirror.ts';
import type { AccountStore, Project } from './ports.ts';
import { ScopeRegistry } from './scope-registry.ts';
import { Pepper } from './secret/pepper.ts';

const PEPPER = new Pepper(new Secret('0123456789abcdef'.repeat(4)));
const close = (parts: ClosingParts, id: AccountId) => closeAccount(parts, id, async () => undefined);
const finish = (parts: ClosingParts) => finishClosings(parts, async () => undefined);
const [ACME, OTHER] = [accountId(1), accountId(2)];

test('closing revokes keys, cuts their calls, archives projects and voids invitations', async (context) => {
  const { parts, scopes, keys, cut, works, voided, clock } = await open(context);
  const closing = await close(parts, ACME);
  assert.equal(closing?.account.closedAt, clock.now());
  assert.deepEqual([closing?.keysRevoked, closing?.projectsArchived, closing?.invitationsVoid], [4, 2, 1]);
  assert.deepEqual(works(), { acme: 0, other: 1 });
  assert.deepEqual(cut.toSorted(), [1, 2, 4, 5]);
  assert.deepEqual(voided, [ACME]);
  assert.deepEqual(
    [...keys.list()].map(({ accountId: owner, revokedAt }) => [owner, revokedAt !== null]),
    [1, 1, 2, 1, 1].map((owner) => [owner, owner === ACME]),
  );
  assert.deepEqual(
    scopes.projects().map(({ archivedAt }) => archivedAt !== null),
    [true, false, true],
  );
});

test('closing twice keeps the first time and does nothing more', async (context) => {
  const { parts, clock } = await open(context);
  const closedAt = (await close(parts, ACME))?.account.closedAt;
  clock.advance(1000);
  const again = await close(parts, ACME);
  assert.deepEqual([again?.account.closedAt, again?.keysRevoked, again?.projectsArchived], [closedAt, 0, 0]);
  assert.equal(await close(parts, accountId(99)), null);
});

test('a closed account gets no new keys or projects, and none of its projects can be unarchived', async (context) => {
  const { parts, keys, scopes } = await open(context);
  const [project] = scopes.projects();
  assert.ok(project);
  await close(parts, ACME);
  const refused = { code: 'conflict', message: /closed/ };
  await assert.rejects(keys.create({ projectId: project.id, name: 'late' }), refused);
  await assert.rejects(scopes.createProject({ accountId: ACME, name: 'late' }), refused);
  await assert.rejects(scopes.updateProject(project.id, { archived: false }), refused);
  assert.ok(await scopes.createProject({ accountId: OTHER, name: 'late' }));
});

test('keys and projects that are being created during the closing are revoked and archived as well', async (context) => {
  const { parts, keys, scopes, works } = await open(context);
  const [project] = scopes.projects();
  assert.ok(project);
  const made = [
    keys.create({ projectId: project.id, name: 'racing' }),
    scopes.createProject({ accountId: ACME, name: 'racing' }),
  ];
  await close(parts, ACME);
  await Promise.allSettled(made);
  assert.deepEqual(works(), { acme: 0, other: 1 });
  assert.ok([...keys.list()].every(({ accountId: owner, revokedAt }) => owner !== ACME || revokedAt !== null));
  assert.ok(scopes.projects().every(({ accountId: owner, archivedAt }) => owner !== ACME || archivedAt !== null));
});

/** One change for the account, four for keys, two for projects. */
for (let changes = 1; changes < 7; changes += 1) {
  test(`interrupted after ${changes} changes, it accepts no keys, and closing again finishes it`, async (context) => {
    const { parts, store, works } = await open(context);
    store.changesLeft = changes;
    await assert.rejects(close(parts, ACME), /disk is gone/);
    assert.deepEqual(works(), { acme: 0, other: 1 });
    store.changesLeft = Infinity;
    const closing = await close(parts, ACME);
    // All keys are revoked in one transaction, and all projects are archived in another.
    assert.equal((closing?.keysRevoked ?? 0) + (closing?.projectsArchived ?? 0), changes < 5 ? 6 : 2);
    assert.deepEqual(await finish(parts), []);
  });

  test(`interrupted by a crash after ${changes} changes, it is finished at the next start`, async (context) => {
    const before = await open(context);
    before.store.changesLeft = changes;
    await assert.rejects(close(before.parts, ACME), /disk is gone/);
    const after = await start(before.under);
    assert.deepEqual(after.works(before.secrets), { acme: 0, other: 1 });
    const finished = await finish(after.parts);
    assert.deepEqual(
      finished.map(({ account }) => account.id),
      [ACME],
    );
    assert.deepEqual(await finish(after.parts), []);
    const left = [...after.keys.list()].filter(({ revokedAt }) => revokedAt === null);
    assert.deepEqual(
      left.map(({ accountId: owner }) => owner),
      [OTHER],
    );
  });
}

test('nothing is changed before the account is marked as closed', async (context) => {
  const { parts, store, works } = await open(context);
  store.changesLeft = 0;
  await assert.rejects(close(parts, ACME), /disk is gone/);
  assert.deepEqual(works(), { acme: 4, other: 1 });
  assert.deepEqual(await finish(parts), []);
});

/** Acme with two projects and four keys, and another account with one of each. */
async function open(context: TestContext) {
  const under = await openKyselyUnderTest();
  context.after(() => under.dispose());
  const begun = await start(under);
  const { scopes, keys } = begun;
  const projects: Project[] = [];
  for (const name of ['Acme', 'Other']) {
    const { id } = await scopes.createAccount({ name });
    projects.push(await scopes.createProject({ accountId: id, name: 'Default' }));
  }
  projects.push(await scopes.createProject({ accountId: ACME, name: 'staging' }));
  const secrets = new Map<KeyId, string>();
  for (const index of [0, 0, 1, 2, 2]) {
    const project: Project | undefined = projects[index];
    assert.ok(project);
    const { key, secret } = await keys.create({ projectId: project.id, name: null });
    secrets.set(key.id, secret.reveal());
  }
  return { ...begun, under, clock: under.clock, secrets, works: () => begun.works(secrets) };
}

/** A process started on the database as it is. */
async function start(under: KyselyUnderTest) {
  const { clock, transactions, feed } = under;
  const store = failing(accountsOf(under));
  const mirror = await openMirror({ store, feed }, PEPPER, clock.now());
  const cut: number[] = [];
  feed.subscribe('cut', (id) => cut.push(id));
  const keys = new KeyRegistry({ store, transactions, mirror, pepper: PEPPER, clock });
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const voided: number[] = [];
  const parts: ClosingParts = {
    transactions,
    scopes,
    keys,
    voidInvitations: async (account) => {
      voided.push(account);
      return 1;
    },
  };
  /** How many secrets of each account are accepted. */
  const works = (secrets: ReadonlyMap<KeyId, string>) => {
    const counts = { acme: 0, other: 0 };
    for (const secret of secrets.values())
      try {
        const { accountId: owner } = authenticate(['x-api-key', secret], mirror, clock.now());
        counts[owner === ACME ? 'acme' : 'other'] += 1;
      } catch (error) {
        assert.equal((error as { code?: unknown }).code, 'invalid_api_key');
      }
    return counts;
  };
  return { store, keys, scopes, parts, cut, voided, works };
}

/** The store, which fails after `changesLeft` changes. */
function failing(store: SqlAccountStore): AccountStore & { changesLeft: number } {
  const state = { changesLeft: Infinity };
  const spend = () => {
    state.changesLeft -= 1;
    if (state.changesLeft < 0) throw new Error('the disk is gone');
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === 'changesLeft') return state.changesLeft;
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (/^(create|change)/.test(String(name))) spend();
        return value.apply(target, given) as unknown;
      };
    },
    set(_target, name, value) {
      if (name === 'changesLeft') state.changesLeft = value as number;
      return true;
    },
  }) as unknown as AccountStore & { changesLeft: number };
}
