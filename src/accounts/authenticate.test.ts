// biome-ignore-all lint/suspicious/noTemplateCurlyInString: unreplaced variables look like this.
/**
 * Goal: every combination of keys and headers is accepted or refused as documented. Method: a table of headers against one registry of
 * keys.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { KeyId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import { authenticate, identify, UnknownKey } from './authenticate.ts';
import { KeyRegistry } from './key-registry.ts';
import type { Key } from './keys.ts';
import { openMirror } from './open-mirror.ts';
import { ScopeRegistry } from './scope-registry.ts';
import { newSecret } from './secret/key-secret.ts';
import { Pepper } from './secret/pepper.ts';

const clock = new ManualClock();
const { mirror, secrets, ids } = await build();
const { active, other, revoked, expired, disabled, management, retiring, archived, unknown } = secrets;
const junk = 'sk-proj-somebody-elses-key';
const damaged = `${active.slice(0, -1)}${active.endsWith('x') ? 'y' : 'x'}`;

type Expected = 'active' | 'other' | 'retiring' | { readonly status: number; readonly code: string };
const REFUSED = { status: 401, code: 'invalid_api_key' };
const CONFLICT = { status: 400, code: 'conflicting_credentials' };
const TWICE = { status: 400, code: 'duplicate_header' };

const table: readonly [string, readonly string[], Expected][] = [
  ['a bearer key', ['Authorization', `Bearer ${active}`], 'active'],
  ['a key in X-API-Key', ['X-API-Key', active], 'active'],
  ['names and scheme in any case', ['AUTHORIZATION', `bEaReR ${active}`, 'x-api-KEY', ''], 'active'],
  ['spaces around the key', ['authorization', `Bearer   ${active}  `], 'active'],
  ['a tab after the scheme', ['authorization', `Bearer\t${active}`], 'active'],
  ['other headers around it', ['host', 'a', 'x-api-key', active, 'accept', '*/*'], 'active'],
  ['the same key in both', ['authorization', `Bearer ${active}`, 'x-api-key', active], 'active'],
  ['an empty X-API-Key and a bearer key', ['x-api-key', '', 'authorization', `Bearer ${active}`], 'active'],
  ['an empty bearer and an X-API-Key', ['authorization', 'Bearer ', 'x-api-key', active], 'active'],
  ['another scheme and an X-API-Key', ['authorization', 'Basic dTpw', 'x-api-key', active], 'active'],
  ['a valid bearer key and junk', ['authorization', `Bearer ${active}`, 'x-api-key', junk], 'active'],
  ['junk and a valid X-API-Key', ['authorization', `Bearer ${junk}`, 'x-api-key', other], 'other'],
  ['a revoked key and a valid one', ['authorization', `Bearer ${revoked}`, 'x-api-key', other], 'other'],
  ['two different valid keys', ['authorization', `Bearer ${active}`, 'x-api-key', other], CONFLICT],
  ['a valid key of each kind', ['authorization', `Bearer ${active}`, 'x-api-key', management], CONFLICT],
  ['authorization sent twice', ['Authorization', `Bearer ${active}`, 'authorization', `Bearer ${active}`], TWICE],
  ['X-API-Key sent twice', ['x-api-key', active, 'X-Api-Key', active], TWICE],
  ['an empty duplicate', ['x-api-key', active, 'x-api-key', ''], TWICE],
  ['no header at all', [], REFUSED],
  ['empty values only', ['authorization', '', 'x-api-key', '  '], REFUSED],
  ['another scheme only', ['authorization', `Token ${active}`], REFUSED],
  ['the key without a scheme', ['authorization', active], REFUSED],
  ['a scheme that only starts with Bearer', ['authorization', `Bearers ${active}`], REFUSED],
  ['junk', ['authorization', `Bearer ${junk}`], REFUSED],
  ['a damaged key', ['x-api-key', damaged], REFUSED],
  ['an unknown key', ['x-api-key', unknown], REFUSED],
  ['a revoked key', ['x-api-key', revoked], REFUSED],
  ['an expired key', ['x-api-key', expired], REFUSED],
  ['a disabled key', ['x-api-key', disabled], REFUSED],
  ['a rotated key within its grace', ['x-api-key', retiring], 'retiring'],
  ['a key of an archived project', ['x-api-key', archived], REFUSED],
  ['two keys, neither valid', ['authorization', `Bearer ${revoked}`, 'x-api-key', expired], REFUSED],
  ['a management key', ['x-api-key', management], { status: 403, code: 'permission_denied' }],
];

for (const [name, headers, expected] of table) {
  test(`${name}: ${typeof expected === 'string' ? `the ${expected} key` : `${expected.status} ${expected.code}`}`, () => {
    const outcome = attempt(() => authenticate(headers, mirror, clock.now()));
    if (typeof expected === 'string') assert.equal((outcome as Key).id, ids[expected]);
    else {
      assert.ok(outcome instanceof GatewayError);
      assert.deepEqual({ status: outcome.status, code: outcome.code }, expected);
      for (const secret of [...Object.values(secrets), junk, damaged])
        assert.ok(!outcome.message.includes(secret.slice(6, 20)));
    }
  });
}

const ownRows: typeof table = [
  ['alone', ['X-Goog-Api-Key', active], 'active'],
  ['with spaces around it', ['x-goog-api-key', ` ${active} `], 'active'],
  ['with the same key as a bearer', ['authorization', `Bearer ${active}`, 'x-goog-api-key', active], 'active'],
  ['with the same key in X-API-Key', ['x-api-key', active, 'x-goog-api-key', active], 'active'],
  ['next to a token of another vendor', ['authorization', 'Bearer ya29.x', 'x-goog-api-key', active], 'active'],
  ['next to a valid bearer', ['authorization', `Bearer ${active}`, 'x-goog-api-key', junk], 'active'],
  ['with another valid key as a bearer', ['authorization', `Bearer ${retiring}`, 'x-goog-api-key', active], CONFLICT],
  ['with another valid key in X-API-Key', ['x-api-key', retiring, 'x-goog-api-key', active], CONFLICT],
  ['twice', ['x-goog-api-key', active, 'X-Goog-Api-Key', active], { status: 400, code: 'duplicate_header' }],
  ['with a revoked key', ['x-goog-api-key', revoked], REFUSED],
  ['empty', ['x-goog-api-key', ''], REFUSED],
  ['with a management key', ['x-goog-api-key', management], { status: 403, code: 'permission_denied' }],
];

for (const [name, headers, expected] of ownRows) {
  test(`the header of a format's own clients, ${name}`, () => {
    const outcome = attempt(() => authenticate(headers, mirror, clock.now(), 'x-goog-api-key'));
    if (typeof expected === 'string') return assert.equal((outcome as Key).id, ids[expected]);
    assert.ok(outcome instanceof GatewayError);
    assert.deepEqual({ status: outcome.status, code: outcome.code }, expected);
  });
}

test("the header of a format's own clients counts only where that format is spoken, and is named there", () => {
  const at = (ownHeader: string | null, headers: string[]) =>
    (attempt(() => authenticate(headers, mirror, clock.now(), ownHeader)) as GatewayError).message;
  assert.match(
    at(null, ['x-goog-api-key', active]),
    /^The header x-goog-api-key is not read for a key here\. Send it as 'Authorization: Bearer <key>' or/,
  );
  assert.match(at('x-goog-api-key', ['Api-Key', active]), /^The header api-key is not read .* as 'x-goog-api-key: /);
  assert.doesNotMatch(at(null, ['api-key', active]), new RegExp(active));
  assert.match(at(null, []), /^No API key was sent\. Send it as 'Authorization: Bearer <key>' or/);
  assert.match(at('x-goog-api-key', []), /^No API key was sent\. Send it as 'x-goog-api-key: <key>', as 'Auth/);
  assert.match(at('x-goog-api-key', ['x-goog-api-key', '']), /^The x-goog-api-key header is empty/);
  assert.match(at('x-goog-api-key', ['x-goog-api-key', 'undefined']), /the name of a variable/);
});

test('unknown, revoked, expired and disabled keys and keys of an archived project get exactly the same answer', () => {
  const answers = [unknown, revoked, expired, disabled, archived].map(
    (secret) => attempt(() => authenticate(['x-api-key', secret], mirror, clock.now())) as GatewayError,
  );
  assert.ok(answers.every((error) => error instanceof UnknownKey));
  assert.equal(new Set(answers.map((error) => JSON.stringify([error.message, error.code, error.facts]))).size, 1);
});

test('only a key of the right shape counts as a guess', () => {
  for (const headers of [[], ['x-api-key', junk], ['x-api-key', damaged], ['authorization', 'Basic dTpw']])
    assert.ok(!(attempt(() => authenticate(headers, mirror, 0)) instanceof UnknownKey));
});

test('the error says whether no key was sent or the value is not a Turnpike key', () => {
  const message = (headers: string[]) => (attempt(() => authenticate(headers, mirror, 0)) as GatewayError).message;
  assert.match(message([]), /No API key was sent.*Authorization: Bearer/);
  assert.match(message(['x-api-key', junk]), /not an API key of this gateway.*sk-tp-/);
});

test('a mistyped or truncated key is called that, without its length', () => {
  for (const sent of [damaged, active.slice(0, -1), `${active}0`])
    for (const headers of [
      ['authorization', `Bearer ${sent}`],
      ['x-api-key', sent],
    ]) {
      const { message } = attempt(() => authenticate(headers, mirror, 0)) as GatewayError;
      assert.match(message, /mistyped, truncated or has extra characters/);
      assert.doesNotMatch(message, /characters long/);
    }
});

test('identify accepts a management key', () => {
  assert.equal(identify(['x-api-key', management], mirror, clock.now()).id, ids.management);
});

test('a mirror that lost its source accepts the keys it knows and answers 503 for unknown ones', async () => {
  mirror.setState('unavailable');
  try {
    const check = (secret: string) => attempt(() => authenticate(['x-api-key', secret], mirror, clock.now()));
    assert.equal((check(active) as Key).id, ids.active);
    assert.equal((check(unknown) as GatewayError).code, 'auth_unavailable');
    assert.equal((check(unknown) as GatewayError).status, 503);
    assert.equal((check(revoked) as GatewayError).code, 'invalid_api_key', 'it knows that this one was revoked');
    assert.match(
      (check(revoked) as GatewayError).message,
      /disabled, revoked, expired, or belong to another installation/,
    );
    assert.equal((check(junk) as GatewayError).code, 'invalid_api_key', 'junk can be refused without asking the store');
    assert.equal((attempt(() => authenticate([], mirror, 0)) as GatewayError).code, 'invalid_api_key');
  } finally {
    mirror.setState('ready');
  }
});

test('an empty key, a missing header and another scheme get different messages', () => {
  for (const [headers, message] of [
    [[], /^No API key was sent/],
    [['authorization', ''], /^No API key was sent/],
    [['authorization', 'Bearer'], /contains no key after 'Bearer'.*probably not set/],
    [['authorization', 'bearer  '], /contains no key/],
    [['authorization', 'Bearer\t', 'x-api-key', ''], /contains no key/],
    [['X-API-Key', ''], /^The X-API-Key header is empty.*probably not set/],
    [['x-api-key', '  '], /X-API-Key header is empty/],
    [['authorization', 'Basic dTpw'], /does not start with 'Bearer '/],
    ...['undefined', 'null', 'None', '$TURNPIKE_KEY', '${TURNPIKE_KEY}', '{{key}}', '%TURNPIKE_KEY%'].flatMap(
      (word): (readonly [readonly string[], RegExp])[] => [
        [['authorization', `Bearer ${word}`], /contains the name of a variable/],
        [['x-api-key', word], /contains the name of a variable/],
      ],
    ),
    [['authorization', `Bearer ${junk}`], /is not an API key of this gateway/],
  ] as const)
    assert.throws(
      () => authenticate(headers, mirror, clock.now()),
      (error) => error instanceof GatewayError && error.code === 'invalid_api_key' && message.test(error.message),
      JSON.stringify(headers),
    );
});

function attempt<Result>(run: () => Result): Result | unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

async function build() {
  const { store, transactions, feed } = await openAccountsInMemory(clock);
  const pepper = new Pepper(new Secret('0123456789abcdef'.repeat(4)));
  const mirror = await openMirror({ store, feed }, pepper, clock.now());
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const registry = new KeyRegistry({ store, transactions, mirror, pepper, clock });
  const account = await scopes.createAccount({ name: 'Acme' });
  const { id: projectId } = await scopes.createProject({ accountId: account.id, name: 'Web' });
  const { id: archivedId } = await scopes.createProject({ accountId: account.id, name: 'Old' });
  const make = (changes = {}) => registry.create({ projectId, name: null, ...changes });
  const made = {
    active: await make({ expiresAt: clock.now() + 1 }),
    other: await make(),
    revoked: await make(),
    expired: await make({ expiresAt: clock.now() }),
    disabled: await make(),
    management: await make({ kind: 'management' }),
    retiring: await make(),
    archived: await make({ projectId: archivedId }),
  };
  await registry.rotate(made.retiring.key.id, { graceMs: 1 });
  await scopes.updateProject(archivedId, { archived: true });
  await registry.revoke(made.revoked.key.id);
  await registry.update(made.disabled.key.id, { disabled: true });
  type Name = keyof typeof made;
  const entries = Object.entries(made) as [Name, (typeof made)[Name]][];
  return {
    mirror,
    secrets: {
      ...(Object.fromEntries(entries.map(([name, { secret }]) => [name, secret.reveal()])) as Record<Name, string>),
      unknown: newSecret().reveal(),
    },
    ids: Object.fromEntries(entries.map(([name, { key }]) => [name, key.id])) as Record<Name, KeyId>,
  };
}
