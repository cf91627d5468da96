/**
 * Goal: nobody sees, changes or learns of another account's data, on any route, and on each route everybody may
 * do exactly what the contract says. Method: the real program with two accounts full of data; every route of the
 * contract, at every door, as every kind of caller, with every way to name the other account's data. The answer is the one
 * for what does not exist, to the letter, and the rows of the other account are unchanged.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Declared, Door } from '../../src/api/contract/route.ts';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import { DOOR_PREFIXES } from '../../src/api/management/door/mount.ts';
import type { Role } from '../../src/members/ports.ts';
import { isAtLeast } from '../../src/members/roles.ts';
import { chatBody } from '../support/open-gateway.ts';
import { type Asked, ask, begin, codeOf, type Reply } from './ask.ts';
import { rowsOf } from './rows-of.ts';
import { absentLike, type Case, cases, NAMES_NOTHING, type Naming, namesOf } from './tenant-cases.ts';
import { bearer, good, openTown, ROLES, type Things, type Town } from './two-accounts.ts';

let town: Town;
before(async () => {
  town = await openTown({ limits: { badKeysBurst: 10_000 } });
});
after(() => town.close());

/** A caller, at a door. */
interface Asker {
  readonly who: string;
  readonly door: Door;
  readonly role: Role | 'operator';
  readonly where: string;
  readonly headers: Asked['headers'] & object;
}

/** Routes that only commands use concern all accounts: no member of an account reaches them, as the routes' rights below show. */
const sharedRoutes = contractRoutes.filter(({ route }) => route.doors.some((door) => door !== 'control'));

test('every route for people or keys has a case, and every field of a request is classified', () => {
  assert.deepEqual(Object.keys(cases).toSorted(), sharedRoutes.map(({ name }) => name).toSorted());
  for (const { name, route } of contractRoutes)
    assert.ok(sharedRoutes.some((each) => each.name === name) || route.needs === 'operator', name);
  const unjudged: string[] = [];
  for (const { name, route } of sharedRoutes) {
    for (const place of ['params', 'query', 'body'] as const) {
      for (const field of fieldsOf(route[place])) {
        const isNamed = cases[name]?.naming.some((naming) => naming.in === place && naming.field === field) === true;
        const isPlain =
          (NAMES_NOTHING.has(field) || NAMES_NOTHING.has(`${place}.${field}`)) &&
          !(place === 'params' && field === 'account');
        if (!isNamed && !isPlain && !(place === 'params' && route.needs === 'operator' && field === 'provider'))
          unjudged.push(`${name}: ${place}.${field}`);
      }
    }
  }
  assert.deepEqual(unjudged, [], 'add each to the naming of its case, or to the fields that name nothing');
});

const AT_ONCE = 8;

test('what belongs to another account is answered like what does not exist, and does not change', {
  timeout: 60_000,
}, async () => {
  const dumped = rowsOf(town.bench.dataFolder, town.a);
  let compared = 0;
  for (const { name, route } of sharedRoutes) {
    const { naming, isStream } = caseOf(name);
    if (isStream === true) continue;
    const pairs = askersIn(town.b)
      .filter(({ door }) => route.doors.includes(door))
      .flatMap((asker) => naming.flatMap((each) => namesOf(town.a, each).map((foreign) => ({ asker, each, foreign }))))
      // Every account is an operator's business.
      .filter(({ asker, each }) => each.names !== 'account' || asker.role !== 'operator');
    // An account may have only a limited number of report questions waiting.
    for (let at = 0; at < pairs.length; at += AT_ONCE) {
      await Promise.all(
        pairs.slice(at, at + AT_ONCE).map(async ({ asker, each, foreign }) => {
          const absent = absentLike(foreign);
          const [reply, expected] = await Promise.all([
            send(asker, name, route, { naming: each, value: foreign }),
            send(asker, name, route, { naming: each, value: absent }),
          ]);
          const about = `${asker.who}: ${name} with ${each.in}.${each.field} ${foreign}`;
          assert.equal(reply.status, expected.status, about);
          assert.equal(blank(reply.text, foreign), blank(expected.text, absent), about);
          assert.deepEqual(shownHeaders(reply), shownHeaders(expected), about);
          assert.equal(reply.status, statusFor(asker, route, each), about);
          assertNothingOf(town.a, reply.text, foreign, about);
        }),
      );
    }
    compared += pairs.length;
  }
  assert.ok(compared > 400, `${compared} pairs were compared`);
  assert.deepEqual(rowsOf(town.bench.dataFolder, town.a), dumped);
});

test('another account is 404 like one that does not exist, on every route that takes one', async () => {
  const dumped = rowsOf(town.bench.dataFolder, town.a);
  for (const { name, route } of contractRoutes) {
    if (!fieldsOf(route.query).includes('account')) continue;
    for (const asker of askersIn(town.b)) {
      if (asker.role === 'operator' || !route.doors.includes(asker.door)) continue;
      const reply = await send(asker, name, route, null, String(town.a.id));
      const expected = await send(asker, name, route, null, '987654321');
      const about = `${asker.who}: ${name}`;
      assert.equal(reply.status, route.needs === 'operator' ? 403 : 404, about);
      assert.equal(blank(reply.text, ''), blank(expected.text, ''), about);
      assertNothingOf(town.a, reply.text, '', about);
    }
  }
  assert.deepEqual(rowsOf(town.bench.dataFolder, town.a), dumped);
});

test('no list and no report of an account contains data of another, however it is requested', async () => {
  const wide = {
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const everything: readonly string[] = [
    '/account',
    '/members',
    '/invitations',
    '/projects?include_archived=true',
    '/aliases',
    '/keys?include_revoked=true',
    '/keys?include_revoked=true&search=alder',
    `/keys?cursor=${town.a.keys.management.id + 1}&include_revoked=true`,
    '/ledger',
    '/ledger?format=csv',
    `/ledger?cursor=${town.a.call.slice('gen-'.length)}.9`,
    '/calls',
    `/calls?cursor=${town.a.call}`,
    '/audit?limit=200',
    '/audit?cursor=999999',
    '/audit?action=member.',
    '/catalog',
    ...['none', 'model', 'key', 'project', 'provider'].flatMap((group) =>
      ['json', 'csv'].map((format) => `/usage?group_by=${group}&format=${format}&${new URLSearchParams(wide)}`),
    ),
  ];
  for (const path of everything) {
    for (const asker of askersIn(town.b)) {
      if (asker.role === 'operator') continue;
      const reply = await ask(asker.where, { path: DOOR_PREFIXES[asker.door] + path, headers: asker.headers });
      assert.ok([200, 403].includes(reply.status), `${asker.who} ${path}: ${reply.text}`);
      assertNothingOf(town.a, reply.text, 'alder', `${asker.who} ${path}`);
    }
  }
});

test('what calls cost the operator is in an operator’s reports, and in nobody else’s', async () => {
  const time = new URLSearchParams({
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  });
  for (const asker of askersIn(town.a)) {
    const isOperator = asker.role === 'operator';
    const read = async (path: string) => {
      const account = isOperator ? `&account=${town.a.id}` : '';
      return good(
        await ask(asker.where, {
          path: `${DOOR_PREFIXES[asker.door]}${path}&${time}${account}`,
          headers: asker.headers,
        }),
      ).text;
    };
    for (const group of ['none', 'model', 'key', 'project', 'provider']) {
      const about = `${asker.who}: by ${group}`;
      const table = await read(`/usage?group_by=${group}&format=csv`);
      assert.equal(/margin|cost/i.test(table), isOperator, `${about}: ${table}`);
      const reports = [await read(`/usage?group_by=${group}`)];
      if (group !== 'none') reports.push(await read(`/usage/groups?group_by=${group}`));
      for (const report of reports) {
        const margins = [...report.matchAll(/"margin":([^,}]+)/g)].map(([, margin]) => margin);
        assert.ok(margins.length > 0 && margins.every((margin) => (margin === 'null') !== isOperator), about);
      }
    }
  }
});

test('the live tail of an account shows only its own calls', { timeout: 20_000 }, async () => {
  const { browser } = town.b.people.viewer;
  const headers = { ...browser.head(), 'sec-fetch-site': 'same-origin' };
  const filters = ['', `?key=${town.a.keys.active.id}`, `?project=${town.a.project.id}`];
  const tails = await Promise.all(
    filters.map(async (filter) => {
      const response = await begin(town.url, { path: `/api/dashboard/calls/live${filter}`, headers });
      assert.equal(response.statusCode, 200);
      const tail = { text: '', response };
      response.setEncoding('utf8').on('data', (text: string) => {
        tail.text += text;
      });
      return tail;
    }),
  );
  for (const key of [town.a.keys.active, town.b.keys.active]) {
    const recorded = town.bench.nextRecord();
    await (await town.bench.post('/api/v1/chat/completions', chatBody(false), bearer(key.secret) as never)).text();
    await recorded;
  }
  const [all, ...foreign] = tails;
  while (all?.text.includes('event: call') === false)
    await new Promise((resolve) => all.response.once('data', resolve));
  assert.equal(all?.text.match(/event: call/g)?.length, 1);
  assert.ok(all?.text.includes('active of birch'));
  for (const { text } of foreign) assert.equal(text.includes('event: call'), false);
  for (const { response } of tails) response.destroy();
});

test('an operator who asks about one account gets nothing of another', async () => {
  for (const asker of askersIn(town.b)) {
    if (asker.role !== 'operator') continue;
    const reply = await send(asker, 'readCall', routeOf('readCall'), {
      naming: { in: 'params', field: 'call', names: 'call' },
      value: town.a.call,
    });
    assert.equal(reply.status, 404);
  }
});

test('each route admits exactly those the contract names, at each of its doors', { timeout: 60_000 }, async () => {
  const nobody: Asker = {
    who: 'nobody',
    door: 'dashboard',
    role: 'viewer',
    where: town.url,
    headers: { 'sec-fetch-site': 'same-origin' },
  };
  const key = (who: string, secret: string): Asker => ({
    who,
    door: 'management',
    role: 'admin',
    where: town.url,
    headers: bearer(secret),
  });
  const badKeys: [Asker, number][] = [
    [{ ...key('no key', ''), headers: {} }, 401],
    [key('an inference key', town.b.keys.active.secret), 403],
    [key('a revoked key', town.b.keys.revoked.secret), 401],
  ];
  let asked = 0;
  for (const { name, route } of contractRoutes) {
    for (const asker of askersIn(town.b)) {
      const reply = await sendHarmless(asker, route);
      const about = `${asker.who}: ${name} ${reply.status} ${reply.text.slice(0, 200)}`;
      asked += 1;
      if (asker.door === 'management' && name === 'listProviders') assertPublicList(reply);
      else if (!route.doors.includes(asker.door)) assert.ok([404, 405].includes(reply.status), about);
      else if (!may(asker, route)) {
        assert.equal(reply.status, 403, about);
        assert.equal(codeOf(reply), 'permission_denied', about);
      } else if (name === 'listSetAside') assert.equal(reply.status, 409, 'this is no node');
      else if (route.method === 'GET') assert.ok([200, 400, 404].includes(reply.status), about);
      // Admitted as far as the body, which has an unknown field and none of the required ones.
      else assert.ok(['field_not_allowed', 'invalid_value'].includes(codeOf(reply) ?? ''), about);
    }
    if (route.doors.includes('dashboard')) {
      const reply = await sendHarmless(nobody, route);
      assert.equal(reply.status === 401, route.needs !== 'nobody', `nobody: ${name} ${reply.status}`);
    }
    if (route.doors.includes('management')) {
      for (const [asker, status] of badKeys)
        assert.equal((await sendHarmless(asker, route)).status, status, `${asker.who}: ${name}`);
    }
  }
  assert.ok(asked > 400);
});

test('rights that depend on the owner: developers change only their own keys, admins no owners, and nobody gains rights', async () => {
  const { owner, admin, developer, viewer } = town.b.people;
  const denied = async (reply: Promise<Reply>) => assert.equal((await reply).status, 403, (await reply).text);
  const theirs = `/keys/${town.b.keys.active.id}`;
  await denied(developer.browser.ask('PATCH', theirs, { name: 'mine' }));
  await denied(developer.browser.ask('DELETE', theirs));
  await denied(developer.browser.ask('POST', `${theirs}/rotate`, {}));
  await denied(developer.browser.ask('POST', '/keys', { kind: 'management' }));
  await denied(developer.browser.ask('POST', '/keys', { creator_user_id: null, kind: 'management' }));
  await denied(developer.browser.ask('GET', '/audit'));
  await denied(admin.browser.ask('GET', '/audit?everywhere=true'));
  await denied(admin.browser.ask('PATCH', `/members/${admin.id}`, { role: 'owner' }));
  await denied(admin.browser.ask('PATCH', `/members/${owner.id}`, { role: 'viewer' }));
  await denied(admin.browser.ask('DELETE', `/members/${owner.id}`));
  await denied(admin.browser.ask('POST', '/invitations', { role: 'owner' }));
  await denied(viewer.browser.ask('DELETE', `/members/${developer.id}`));
  const management = (method: string, path: string, body?: object) =>
    ask(town.url, { method, path: `/api/v1${path}`, headers: bearer(town.b.keys.management.secret), body });
  await denied(management('PATCH', `/members/${owner.id}`, { role: 'viewer' }));
  await denied(management('DELETE', `/members/${owner.id}`));
  await denied(management('POST', '/invitations', { role: 'owner' }));
  await denied(management('GET', '/audit?everywhere=true'));

  const made = good(await developer.browser.ask('POST', '/keys', { name: 'a developer’s own' })).json;
  good(await developer.browser.ask('PATCH', `/keys/${made.data.id}`, { name: 'renamed' }));
  good(await developer.browser.ask('DELETE', `/keys/${made.data.id}`));
});

test('an answer kept for a retry is returned to nobody else, not even in the same account', async () => {
  const headers = { 'idempotency-key': 'the-same-for-all' };
  const made = new Set<string>();
  const makers = [town.a.people.owner, town.b.people.owner, town.b.people.admin, town.b.people.developer];
  for (const { browser } of makers) {
    const reply = good(await browser.ask('POST', '/keys', { name: 'again' }, headers));
    assert.equal(reply.headers['idempotent-replayed'], undefined);
    made.add(reply.json.key);
  }
  for (const { keys } of [town.a, town.b]) {
    const asked = { ...headers, ...bearer(keys.management.secret) };
    made.add(
      good(await ask(town.url, { method: 'POST', path: '/api/v1/keys', headers: asked, body: { name: 'again' } })).json
        .key,
    );
  }
  assert.equal(made.size, 6);
  const again = good(await town.b.people.owner.browser.ask('POST', '/keys', { name: 'again' }, headers));
  assert.equal(again.headers['idempotent-replayed'], 'true');
  const owners = town.a.people.owner.browser;
  assert.equal((await owners.ask('POST', `/keys?account=${town.b.id}`, { name: 'again' }, headers)).status, 404);
});

test('no door accepts the credentials of another', async () => {
  const cookie = town.b.people.owner.browser.head();
  const secret = bearer(town.b.keys.management.secret);
  const at = async (path: string, headers: Asked['headers'] & object) =>
    (await ask(town.url, { path, headers: { 'sec-fetch-site': 'same-origin', ...headers } })).status;
  assert.equal(await at('/api/dashboard/keys', secret), 401);
  assert.equal(await at('/api/v1/keys', cookie), 401);
  for (const headers of [cookie, secret, {}]) {
    assert.equal(await at('/control/api/keys', headers), 404);
    assert.equal(await at('/control/keys', headers), 404);
  }
  // A session of one account does not help the key of another, nor the other way round.
  const both = { ...town.a.people.owner.browser.head(), ...secret };
  const { json } = await ask(town.url, { path: '/api/v1/account', headers: both });
  assert.equal(json.data.id, town.b.id);
});

function askersIn({ id, people, keys, mark }: Things): readonly Asker[] {
  const site = { 'sec-fetch-site': 'same-origin' };
  return [
    ...ROLES.map((role): Asker => {
      const headers = { ...site, ...people[role].browser.head() };
      return { who: `${role} of ${mark}`, door: 'dashboard', role, where: town.url, headers };
    }),
    {
      who: `a management key of ${mark}`,
      door: 'management',
      role: 'admin',
      where: town.url,
      headers: bearer(keys.management.secret),
    },
    {
      who: `an operator in account ${id}`,
      door: 'dashboard',
      role: 'operator',
      where: town.url,
      headers: { ...site, ...town.operator.browser.head() },
    },
    { who: `the control socket in account ${id}`, door: 'control', role: 'operator', where: town.socket, headers: {} },
  ];
}

function may({ role, door }: Asker, { needs }: Declared): boolean {
  if (needs === 'nobody' || needs === 'user') return door === 'dashboard';
  if (role === 'operator') return true;
  return needs !== 'operator' && isAtLeast(role, needs);
}

/** The answer to a caller that names something that does not exist. */
function statusFor(asker: Asker, route: Declared, naming: Naming): number {
  if (!may(asker, route)) return 403;
  return naming.gives === 'same' ? 200 : 404;
}

async function send(
  asker: Asker,
  name: string,
  route: Declared,
  filled: { readonly naming: Naming; readonly value: string } | null,
  account?: string,
): Promise<Reply> {
  const { query = {}, body, naming } = caseOf(name);
  const fill = (place: Naming['in']) =>
    filled !== null && filled.naming.in === place ? { [filled.naming.field]: filled.value } : {};
  // Where it is not what is tested, a parameter names something in the caller's own account, or nothing.
  const own = Object.fromEntries(
    naming.filter((each) => each.in === 'params').map((each) => [each.field, ownName(each)]),
  );
  const params: Readonly<Record<string, string>> = { ...own, ...fill('params') };
  const path = route.path.replaceAll(/:(\w+)/g, (_, field) => encodeURIComponent(params[field] ?? 'none'));
  const asOperator = asker.role === 'operator' && fieldsOf(route.query).includes('account');
  const chosen = account ?? (asOperator ? String(town.b.id) : undefined);
  const asked = new URLSearchParams({
    ...query,
    ...fill('query'),
    ...(chosen === undefined ? {} : { account: chosen }),
  });
  const isWithBody = route.method !== 'GET' && route.method !== 'DELETE';
  return ask(asker.where, {
    method: route.method,
    path: `${DOOR_PREFIXES[asker.door]}${path}${asked.size === 0 ? '' : `?${asked}`}`,
    headers: asker.headers,
    body: isWithBody ? { ...body, ...fill('body') } : undefined,
  });
}

function ownName(naming: Naming): string {
  return namesOf(town.b, naming)[0] ?? 'none';
}

/** Has no effect, whoever sends it: a read of something that does not exist, or a body that no route takes. */
/** `GET /api/v1/providers` is another route, for every key: it has names, and nothing of the settings. */
function assertPublicList({ status, text }: Reply): void {
  assert.equal(status, 200, text);
  const [first] = JSON.parse(text).data;
  assert.deepEqual(
    Object.keys(first),
    ['name', 'slug', 'privacy_policy_url', 'terms_of_service_url', 'status_page_url'],
    text,
  );
}

function sendHarmless(asker: Asker, route: Declared): Promise<Reply> {
  const path = route.path.replaceAll(/:(\w+)/g, 'no-such-thing');
  const account = asker.role === 'operator' && fieldsOf(route.query).includes('account') ? `?account=${town.b.id}` : '';
  const isStream = route.also === 'text/event-stream';
  return ask(asker.where, {
    method: isStream ? 'HEAD' : route.method,
    path: `${DOOR_PREFIXES[asker.door]}${path}${account}`,
    headers: asker.headers,
    body: route.method === 'GET' ? undefined : { no_route_has_this: 1 },
  });
}

function caseOf(name: string): Case {
  return cases[name] ?? assert.fail(`${name} has no case`);
}

function routeOf(name: string): Declared {
  return contractRoutes.find((each) => each.name === name)?.route ?? assert.fail(`there is no ${name}`);
}

function fieldsOf(schema: unknown): readonly string[] {
  return Object.keys((schema as { readonly shape?: object }).shape ?? {});
}

/** Without the ids of the request, and without what was asked for. */
function blank(text: string, asked: string): string {
  const bare = text.replaceAll(/req_[0-9a-z]{26}/g, 'req_…');
  return asked === '' ? bare : bare.replaceAll(new RegExp(`\\b${RegExp.escape(asked)}\\b`, 'g'), '…');
}

function shownHeaders({ headers }: Reply) {
  const { date, 'x-request-id': id, 'content-length': length, 'keep-alive': alive, ...shown } = headers;
  return shown;
}

/** No such name, and none of the ids that cannot appear by chance, except what was asked for. */
function assertNothingOf({ mark, call, keys }: Things, text: string, asked: string, about: string): void {
  const theirs = [mark, call.slice('gen-'.length), ...Object.values(keys).map(({ hash }) => hash)];
  const found = theirs.filter((each) => !asked.includes(each) && text.includes(each));
  assert.deepEqual(found, [], about);
}
