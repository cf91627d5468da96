/**
 * Goal: nobody gives or removes more than their role allows, and lost rights end immediately. Method: the handlers with the contract's
 * checks, over a real database.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { GatewayError } from '../../../core/errors.ts';
import { projectId } from '../../../core/ids.ts';
import type { Role, User } from '../../../members/ports.ts';
import { ROLES } from '../../../members/roles.ts';
import { openStoresUnderTest } from '../../../storage/sqlite/engine/kysely-under-test.ts';
import {
  ACME,
  type AccountFixture,
  accountsOn,
  asKey,
  asUser,
  OPERATOR,
  OTHER,
  type Question,
  type RouteName,
} from '../accounts/account-fixture.ts';
import type { Actor } from '../door/handler.ts';

const openAccounts = async (context: TestContext) => accountsOn(await openStoresUnderTest(context));

/** The actors: each role, a management key, which is an admin that cannot create admins, and an operator, who counts as an owner. */
const ASKERS = [...ROLES, 'key', 'operator'] as const;
type Asker = (typeof ASKERS)[number];

/** The expected outcome by actor: `ok`, or the error code. */
const EVERYBODY = { owner: 'ok', admin: 'ok', developer: 'ok', viewer: 'ok', key: 'ok', operator: 'ok' } as const;
const no = 'permission_denied';
const ADMINS = { ...EVERYBODY, developer: no, viewer: no } as const;
const OWNERS = { ...ADMINS, admin: no, key: no } as const;
const NO_KEYS = { ...OWNERS, key: no } as const;
const PEOPLE = { ...ADMINS, key: no } as const;
const OPERATORS = { ...OWNERS, owner: no } as const;

type Do = (fixture: AccountFixture, actor: Actor) => Promise<unknown>;

const MATRIX: readonly (readonly [string, Readonly<Record<Asker, string>>, Do])[] = [
  ['see the members', EVERYBODY, (at, actor) => at.ask(actor, 'listMembers')],
  ['see the account', EVERYBODY, (at, actor) => at.ask(actor, 'readAccount')],
  ['see the projects', EVERYBODY, (at, actor) => at.ask(actor, 'listProjects')],
  ['see a project', EVERYBODY, (at, actor) => at.ask(actor, 'readProject', { params: { project: 1 } })],
  ['see the invitations', ADMINS, (at, actor) => at.ask(actor, 'listInvitations')],
  ['see the audit log', ADMINS, (at, actor) => at.ask(actor, 'listAudit')],
  ['see all of the audit log', OPERATORS, (at, actor) => at.ask(actor, 'listAudit', { query: { everywhere: 'true' } })],
  ['make a project', ADMINS, (at, actor) => at.ask(actor, 'createProject', { body: { name: 'new' } })],
  ['archive a project', ADMINS, (at, actor) => at.ask(actor, 'updateProject', archived)],
  ['delete kept bodies', ADMINS, (at, actor) => at.ask(actor, 'deleteCaptures')],
  ['rename the account', NO_KEYS, (at, actor) => at.ask(actor, 'updateAccount', { body: { name: 'Acme' } })],
  ['switch capture on', NO_KEYS, (at, actor) => at.ask(actor, 'updateAccount', { body: { capture: { on: true } } })],
  ['see all accounts', OPERATORS, (at, actor) => at.ask(actor, 'listAccounts')],
  [
    'make an account',
    OPERATORS,
    (at, actor) => at.ask(actor, 'createAccount', { body: { name: `for ${actor.kind}` } }),
  ],
  ['limit an account', OPERATORS, (at, actor) => at.ask(actor, 'limitAccount', { params: { account: 1 }, body: {} })],
  ['invite a viewer', ADMINS, (at, actor) => at.ask(actor, 'createInvitation', { body: { role: 'viewer' } })],
  ['invite a developer', ADMINS, (at, actor) => at.ask(actor, 'createInvitation', { body: { role: 'developer' } })],
  ['invite an admin', PEOPLE, (at, actor) => at.ask(actor, 'createInvitation', { body: { role: 'admin' } })],
  ['invite an owner', OWNERS, (at, actor) => at.ask(actor, 'createInvitation', { body: { role: 'owner' } })],
  ['take back what invites an admin', ADMINS, takeBack('admin')],
  ['take back what invites an owner', OWNERS, takeBack('owner')],
  ['make a viewer a developer', ADMINS, change('viewer', 'developer')],
  ['make a developer an admin', PEOPLE, change('developer', 'admin')],
  ['make an admin a viewer', ADMINS, change('admin', 'viewer')],
  ['make an admin an owner', OWNERS, change('admin', 'owner')],
  ['make an owner an admin', OWNERS, change('owner', 'admin')],
  ['make an owner an owner', OWNERS, change('owner', 'owner')],
  ['remove a viewer', ADMINS, remove('viewer')],
  ['remove a developer', ADMINS, remove('developer')],
  ['remove an admin', ADMINS, remove('admin')],
  ['remove an owner', OWNERS, remove('owner')],
  ['close the account', NO_KEYS, (at, actor) => at.ask(actor, 'closeAccount', { body: { name: 'Acme' } })],
];

const archived: Question = { params: { project: 'Default' }, body: { archived: true } };

for (const asker of ASKERS)
  test(`what ${asker} may do`, async (context) => {
    const fixture = await openAccounts(context);
    // Another owner, so that nobody here is the last one.
    await fixture.member('owner');
    const actor = await actorOf(fixture, asker);
    for (const [what, table, attempt] of MATRIX) {
      const entriesBefore = (await fixture.auditEntries()).length;
      assert.equal(await outcomeOf(attempt(fixture, actor)), table[asker], `${asker}: ${what}`);
      if (table[asker] !== 'ok')
        assert.equal((await fixture.auditEntries()).length, entriesBefore, `${asker}: ${what} is not audited`);
    }
  });

test('a non-member sees nothing of the account, and somebody else’s account is not found', async (context) => {
  const fixture = await openAccounts(context);
  const target = await fixture.member('viewer');
  const { link } = await fixture.members.invite({ userId: null, role: 'owner', isOperator: true }, ACME, NEWCOMER);
  const stranger = asUser(await fixture.member('owner', OTHER));
  const otherKey = asKey(await fixture.key(projectId(2), 'management'));
  for (const actor of [stranger, otherKey]) {
    const questions: readonly (readonly [RouteName, Question])[] = [
      ['updateMember', { params: { user: target.id }, body: { role: 'admin' } }],
      ['removeMember', { params: { user: target.id } }],
      ['deleteInvitation', { params: { invitation: link.id } }],
    ];
    for (const [name, question] of questions) {
      assert.equal(await outcomeOf(fixture.ask(actor, name, question)), 'not_found', name);
      const within = { ...question, query: { account: ACME } };
      assert.equal(await outcomeOf(fixture.ask(actor, name, within)), 'not_found', `${name} there`);
    }
    assert.equal(await outcomeOf(fixture.ask(actor, 'listMembers', { query: { account: ACME } })), 'not_found');
  }
  assert.equal(await fixture.roleOf(target), 'viewer');
  assert.equal((await fixture.members.invitations(ACME)).length, 1);
});

test('an invalid id is not found', async (context) => {
  const { ask, member } = await openAccounts(context);
  const owner = asUser(await member('owner'));
  for (const user of ['0', '-1', '1.5', 'me', '1e3', '99', `${Number.MAX_SAFE_INTEGER}9`])
    assert.equal(await outcomeOf(ask(owner, 'removeMember', { params: { user } })), 'not_found', user);
});

test('members are listed with their role and when they were last seen', async (context) => {
  const { ask, member, clock } = await openAccounts(context);
  const ada = await member('owner', ACME, 'ada');
  clock.advance(1000);
  await member('viewer', ACME, 'bob');
  await member('viewer', OTHER, 'eve');
  const { data } = await ask(asUser(ada), 'listMembers');
  assert.deepEqual(data, [
    {
      user: { id: 1, email: 'ada@example.com', name: 'ada', totp: false },
      role: 'owner',
      joined_at: '2026-11-21T12:00:00.000Z',
      last_seen_at: '2026-11-21T12:00:00.000Z',
    },
    {
      user: { id: 2, email: 'bob@example.com', name: 'bob', totp: false },
      role: 'viewer',
      joined_at: '2026-11-21T12:00:01.000Z',
      last_seen_at: '2026-11-21T12:00:01.000Z',
    },
  ]);
});

test('losing a role ends the member’s sessions; gaining or keeping one does not', async (context) => {
  const { ask, member, users, roleOf } = await openAccounts(context);
  const owner = asUser(await member('owner'));
  const sessions = async (user: User) => (await users.sessionsOf(user.id)).length;
  const ada = await member('developer');
  for (const role of ['admin', 'admin', 'owner'])
    await ask(owner, 'updateMember', { params: { user: ada.id }, body: { role } });
  assert.deepEqual([await roleOf(ada), await sessions(ada)], ['owner', 1]);
  await ask(owner, 'updateMember', { params: { user: ada.id }, body: { role: 'viewer' } });
  assert.deepEqual([await roleOf(ada), await sessions(ada)], ['viewer', 0]);
  const bob = await member('viewer');
  await ask(owner, 'removeMember', { params: { user: bob.id } });
  assert.deepEqual([await roleOf(bob), await sessions(bob)], [null, 0]);
  assert.equal(await sessions((owner as { user: User }).user), 1);
});

test('anybody may leave, and stays a member of other accounts', async (context) => {
  const { ask, member, memberships, clock, roleOf } = await openAccounts(context);
  await member('owner');
  for (const role of ROLES) {
    const user = await member(role);
    await memberships.putMembership({ accountId: OTHER, userId: user.id, role: 'viewer', joinedAt: clock.now() + 1 });
    await ask(asUser(user), 'removeMember', { params: { user: user.id }, query: { account: ACME } });
    assert.deepEqual([await roleOf(user), await roleOf(user, OTHER)], [null, 'viewer']);
  }
});

test('the last owner cannot leave or be demoted, except by an operator', async (context) => {
  const { ask, member, person, roleOf } = await openAccounts(context);
  const ada = await member('owner');
  await member('admin');
  const self = { params: { user: ada.id } };
  await ask(asUser(ada), 'createInvitation', { body: { role: 'admin' } });
  assert.equal(await outcomeOf(ask(asUser(ada), 'removeMember', self)), 'conflict');
  assert.equal(await outcomeOf(ask(asUser(ada), 'updateMember', { ...self, body: { role: 'viewer' } })), 'conflict');
  assert.equal(await roleOf(ada), 'owner');
  assert.equal((await ask(asUser(ada), 'listInvitations')).data.length, 1, 'a refused request removes nothing');
  const operator = asUser(await person('operator', true));
  await ask(operator, 'updateMember', { ...self, query: { account: ACME }, body: { role: 'admin' } });
  assert.equal(await roleOf(ada), 'admin');
  const bob = await member('owner');
  await ask(OPERATOR, 'removeMember', { params: { user: bob.id }, query: { account: ACME } });
  assert.equal(await roleOf(bob), null);
});

test('an invitation is returned with its link once, and emailed to its address', async (context) => {
  const { ask, member, mails, clock, auditEntries } = await openAccounts(context);
  const owner = asUser(await member('owner', ACME, 'ada'));
  const made = await ask(owner, 'createInvitation', { body: { email: ' New@Example.com ', role: 'admin' } });
  assert.deepEqual(made, {
    data: {
      id: 1,
      email: 'new@example.com',
      role: 'admin',
      created_at: '2026-11-21T12:00:00.000Z',
      created_by: 'ada@example.com',
      expires_at: '2026-11-22T12:00:00.000Z',
    },
    link: 'https://gateway.test/#invitation=token-1',
    mailed: true,
  });
  assert.deepEqual(mails, [
    {
      to: 'new@example.com',
      account: 'Acme',
      role: 'admin',
      url: 'https://gateway.test/#invitation=token-1',
      expiresAt: clock.now() + 86_400_000,
      invitedBy: 'ada@example.com',
    },
  ]);
  const open = await ask(owner, 'createInvitation', { body: {} });
  assert.deepEqual([open.data.email, open.data.role, open.mailed], [null, 'developer', false]);
  assert.deepEqual((await ask(owner, 'listInvitations')).data, [made.data, open.data]);
  assert.ok(!JSON.stringify([await auditEntries(), await ask(owner, 'listInvitations')]).includes('token-'));
  clock.advance(86_400_000);
  assert.deepEqual((await ask(owner, 'listInvitations')).data, []);
  assert.equal(await outcomeOf(ask(owner, 'deleteInvitation', { params: { invitation: 1 } })), 'not_found');
});

test('a second invitation to an address voids the first, and a member is not invited again', async (context) => {
  const { ask, member } = await openAccounts(context);
  const owner = asUser(await member('owner', ACME, 'ada'));
  for (const role of ['viewer', 'owner'])
    await ask(owner, 'createInvitation', { body: { email: 'new@example.com', role } });
  const { data } = await ask(owner, 'listInvitations');
  assert.deepEqual(
    data.map(({ id, role }: { id: number; role: Role }) => [id, role]),
    [[2, 'owner']],
  );
  const ofAdmin = ask(asUser(await member('admin')), 'createInvitation', { body: { email: 'new@example.com' } });
  assert.equal(await outcomeOf(ofAdmin), 'permission_denied');
  const again = ask(owner, 'createInvitation', { body: { email: 'ada@example.com' } });
  assert.equal(await outcomeOf(again), 'conflict');
});

test('at most a hundred invitations are open', async (context) => {
  const { ask, member } = await openAccounts(context);
  const owner = asUser(await member('owner'));
  for (let index = 0; index < 100; index += 1) await ask(owner, 'createInvitation', { body: {} });
  assert.equal(await outcomeOf(ask(owner, 'createInvitation', { body: {} })), 'conflict');
  await ask(owner, 'deleteInvitation', { params: { invitation: 50 } });
  await ask(owner, 'createInvitation', { body: {} });
});

test('emailed invitations are rate limited per account and per address', async (context) => {
  const { ask, member, mails, members, clock } = await openAccounts(context);
  const owner = asUser(await member('owner'));
  const invite = (email: string | null, actor = owner) =>
    outcomeOf(ask(actor, 'createInvitation', { query: { account: ACME }, body: { email } }));
  for (let index = 0; index < 3; index += 1) assert.equal(await invite('one@example.com'), 'ok');
  assert.equal(await invite('one@example.com'), 'rate_limit_exceeded');
  for (let index = 0; index < 26; index += 1) assert.equal(await invite(`${index}@example.com`), 'ok');
  assert.equal(await invite('more@example.com'), 'rate_limit_exceeded');
  assert.deepEqual([await invite(null), await invite('more@example.com', OPERATOR)], ['ok', 'ok']);
  clock.advance(600_000);
  assert.deepEqual([await invite('two@example.com'), await invite('three@example.com')], ['ok', 'rate_limit_exceeded']);
  assert.equal(mails.length, 31);
  assert.equal((await members.invitations(ACME)).length, 30);
});

test('a demoted or removed member cannot come back by their own invitation', async (context) => {
  const { ask, member, members } = await openAccounts(context);
  const owner = asUser(await member('owner'));
  const roles = async () => (await members.invitations(ACME)).map(({ link }) => link.role).toSorted();
  const ada = await member('owner');
  for (const role of ROLES) await ask(asUser(ada), 'createInvitation', { body: { role } });
  await ask(owner, 'createInvitation', { body: { role: 'owner' } });
  await ask(owner, 'updateMember', { params: { user: ada.id }, body: { role: 'admin' } });
  assert.deepEqual(await roles(), ['admin', 'developer', 'owner', 'viewer']);
  await ask(owner, 'removeMember', { params: { user: ada.id } });
  assert.deepEqual(await roles(), ['owner']);
});

test('a member who loses the admin role loses their management keys in the account, which is audited; other keys stay', async (context) => {
  const { ask, member, memberships, keys, auditEntries } = await openAccounts(context);
  const owner = asUser(await member('owner', ACME, 'ada'));
  const bob = await member('owner', ACME, 'bob');
  await memberships.putMembership({ accountId: OTHER, userId: bob.id, role: 'admin', joinedAt: 1 });
  const params = { user: bob.id };
  const make = async (kind: 'inference' | 'management', project = 1, createdBy: string = `user:${bob.id}`) =>
    (await keys.create({ projectId: projectId(project), name: null, kind, createdBy })).key.id;
  const [inference, elsewhere] = [await make('inference'), await make('management', 2)];
  const others = [await make('management', 1, 'user:1'), await make('management', 1, `key:${bob.id}`)];
  const isRevoked = (id: (typeof others)[number]) => keys.get(id)?.revokedAt !== null;

  const change = (role: Role, actor = owner) => ask(actor, 'updateMember', { params, body: { role } });
  const first = [await make('management'), await make('management')];
  await change('admin');
  assert.deepEqual(first.map(isRevoked), [false, false], 'still an admin');
  await change('developer');
  assert.deepEqual(first.map(isRevoked), [true, true]);
  await change('admin');
  const second = await make('management');
  await ask(owner, 'removeMember', { params });
  assert.ok(isRevoked(second));
  await memberships.putMembership({ accountId: ACME, userId: bob.id, role: 'admin', joinedAt: 2 });
  const third = await make('management');
  await ask(asUser(bob), 'removeMember', { params, query: { account: ACME } });
  assert.ok(isRevoked(third), 'also when leaving');
  assert.deepEqual([inference, elsewhere, ...others].map(isRevoked), [false, false, false, false]);
  assert.deepEqual(
    (await auditEntries())
      .filter(({ action }) => action === 'key.revoke')
      .map(({ subject, actor, accountId }) => [Number(subject.id), actor.name, accountId]),
    [...first, second].map((id) => [id, 'ada@example.com', ACME]).concat([[third, 'bob@example.com', ACME]]),
  );
});

test('a refused change does not affect management keys', async (context) => {
  const { ask, member, keys } = await openAccounts(context);
  const ada = await member('owner');
  const admin = asUser(await member('admin'));
  const createdBy = `user:${ada.id}`;
  const { key } = await keys.create({ projectId: projectId(1), name: null, kind: 'management', createdBy });
  const params = { user: ada.id };
  assert.equal(await outcomeOf(ask(admin, 'removeMember', { params })), 'permission_denied');
  assert.equal(await outcomeOf(ask(asUser(ada), 'removeMember', { params })), 'conflict');
  assert.equal(await outcomeOf(ask(asUser(ada), 'updateMember', { params, body: { role: 'viewer' } })), 'conflict');
  assert.equal(keys.get(key.id)?.revokedAt, null);
});

test('each change is audited once, with the value before', async (context) => {
  const { ask, member, auditEntries } = await openAccounts(context);
  const owner = asUser(await member('owner', ACME, 'ada'));
  const bob = await member('viewer', ACME, 'bob');
  const params = { user: bob.id };
  await ask(owner, 'updateMember', { params, body: { role: 'viewer' } });
  await ask(owner, 'updateMember', { params, body: { role: 'admin' } });
  await ask(asUser(bob), 'createInvitation', { body: { role: 'viewer', email: 'cy@example.com' } });
  await ask(owner, 'deleteInvitation', { params: { invitation: 1 } });
  await ask(owner, 'removeMember', { params });
  assert.deepEqual(
    (await auditEntries()).map(({ action, actor, subject, before, after }) => [
      action,
      actor.name,
      subject.name,
      before?.['role'],
      after?.['role'],
    ]),
    [
      ['member.update', 'ada@example.com', 'bob@example.com', 'viewer', 'admin'],
      ['invitation.create', 'bob@example.com', 'cy@example.com', undefined, 'viewer'],
      ['invitation.delete', 'ada@example.com', 'cy@example.com', 'viewer', undefined],
      ['member.delete', 'ada@example.com', 'bob@example.com', 'admin', undefined],
    ],
  );
});

const NEWCOMER = { email: 'new@example.com', role: 'viewer' } as const;

async function actorOf(fixture: AccountFixture, asker: Asker): Promise<Actor> {
  if (asker === 'operator') return OPERATOR;
  if (asker === 'key') return asKey(await fixture.key(projectId(1), 'management'));
  return asUser(await fixture.member(asker));
}

function change(from: Role, to: Role): Do {
  return async (fixture, actor) => {
    const { id } = await fixture.member(from);
    return fixture.ask(actor, 'updateMember', { params: { user: id }, body: { role: to } });
  };
}

function remove(role: Role): Do {
  return async (fixture, actor) => {
    const { id } = await fixture.member(role);
    return fixture.ask(actor, 'removeMember', { params: { user: id } });
  };
}

function takeBack(role: Role): Do {
  return async (fixture, actor) => {
    const maker = { userId: null, role: 'owner', isOperator: true } as const;
    const { link } = await fixture.members.invite(maker, ACME, { email: null, role });
    return fixture.ask(actor, 'deleteInvitation', { params: { invitation: link.id } });
  };
}

async function outcomeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'ok',
    (error: GatewayError) => error.code ?? String(error),
  );
}
