/**
 * Goal: no change without its audit entry, on any route. Method: each route that changes something is called while the
 * database refuses entries: it fails, and the database is unchanged; then it is called again, and both are written.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import type { Reply } from './ask.ts';
import { openTown, PASSWORD } from './two-accounts.ts';

const town = await openTown();
after(() => town.close());
const database = new DatabaseSync(join(town.bench.dataFolder, 'turnpike.db'));
after(() => database.close());

// As if another node ran it.
database.exec(
  `UPDATE batches SET status = 'in_progress', ended_at = NULL, claimed_by = 'another', claimed_until = 1e15`,
);

const { a, b, control } = town;
const within = (path: string, account = a.id) => `${path}?account=${account}`;
const { developer, viewer } = a.people;
const provider = { name: 'made', kind: 'custom', origin: 'http://127.0.0.1:9', credential: 'sk-canary-1' };
const ask = (method: string, path: string, body?: object) => () => control(method, path, body);

/** By the names of the contract, in the order in which they are called. */
const CHANGES: Readonly<Record<string, () => Promise<Reply>>> = {
  updateAccount: ask('PATCH', within('/account'), { name: 'Renamed' }),
  createAccount: ask('POST', '/accounts', { name: 'Third' }),
  limitAccount: ask('PATCH', `/accounts/${a.id}`, { limits: { requests_per_day: 7 } }),
  createProject: ask('POST', within('/projects'), { name: 'new', limits: { requests_per_day: 5 } }),
  updateProject: ask('PATCH', within(`/projects/${a.project.id}`), { limits: { requests_per_day: 6 } }),
  createAlias: ask('POST', within('/aliases'), { name: 'fast', targets: [{ model: 'scripted/model' }] }),
  updateAlias: ask('PATCH', within(`/aliases/${a.aliases[0]}`), { choice: 'random' }),
  deleteAlias: ask('DELETE', within(`/aliases/${a.aliases[1]}`)),
  createInstallationAlias: ask('POST', '/installation-aliases', {
    name: 'fast',
    targets: [{ model: 'scripted/model' }],
  }),
  updateInstallationAlias: () =>
    control('PATCH', `/installation-aliases/${sharedAlias()}`, { targets: [{ model: 'scripted/model', weight: 2 }] }),
  deleteInstallationAlias: () => control('DELETE', `/installation-aliases/${sharedAlias()}`),
  createKey: ask('POST', within('/keys'), { name: 'made' }),
  updateKey: ask('PATCH', within(`/keys/${a.keys.active.hash}`), { name: 'renamed', disabled: true }),
  rotateKey: ask('POST', within(`/keys/${b.keys.active.hash}/rotate`, b.id), { grace_ms: 60_000 }),
  revokeKey: ask('DELETE', `${within(`/keys/${a.keys.management.hash}`)}&with_made=true`),
  addEntry: ask('POST', within('/balance/entries'), { amount: '1', reference: 'once' }),
  refundCall: ask('POST', within('/balance/refunds'), { call: a.call, reference: 'back' }),
  cancelAccountBatch: ask('POST', within(`/account-batches/${a.batch}/cancel`)),
  createProvider: ask('POST', '/providers', provider),
  updateProvider: ask('PATCH', '/providers/made', { is_enabled: false }),
  addProviderCredential: ask('POST', '/providers/made/credentials', { credential: 'sk-canary-2' }),
  removeProviderCredential: async () => {
    const { data } = (await control('GET', '/providers')).json;
    const made = data.find((each: { name: string }) => each.name === 'made');
    return control('DELETE', `/providers/made/credentials/${made.credentials[1].id}`);
  },
  deleteProvider: ask('DELETE', '/providers/made'),
  importModelPrices: ask('POST', '/model-prices/import', {
    prices: [{ provider: 'openai', model: 'gpt-5', input: '1', output: '9' }],
  }),
  pinModelPrices: ask('POST', '/model-prices/pin', { provider: 'openai', upstream_model: 'gpt-5' }),
  createOwnCredential: ask('POST', within('/byok'), { provider: 'openai', key: 'sk-own-1' }),
  updateOwnCredential: ask('PATCH', within(`/byok/${a.credential}`), { disabled: true }),
  rotateOwnCredential: ask('POST', within(`/byok/${a.credential}/rotate`), { key: 'sk-own-2', overlap_ms: 1000 }),
  deleteOwnCredential: ask('DELETE', within(`/byok/${a.credential}`)),
  createInvitation: ask('POST', within('/invitations'), { role: 'viewer' }),
  deleteInvitation: ask('DELETE', within(`/invitations/${a.invitation.id}`)),
  updateMember: ask('PATCH', within(`/members/${developer.id}`), { role: 'viewer' }),
  removeMember: ask('DELETE', within(`/members/${viewer.id}`)),
  updatePerson: ask('PATCH', `/people/${developer.id}`, { disabled: true }),
  resetAdmin: ask('POST', '/admin/reset', {}),
  rotateCredentials: ask('POST', '/credentials/rotate', {}),
  updateProfile: () => b.people.owner.browser.ask('PATCH', '/profile', { name: 'Renamed' }),
  endOtherSessions: () => b.people.owner.browser.ask('DELETE', '/profile/sessions'),
  endSession: () => b.people.viewer.browser.ask('DELETE', `/profile/sessions/${sessionOf(b.people.viewer.id)}`),
  signIn: () => b.people.viewer.browser.ask('POST', '/session', { email: b.people.viewer.email, password: PASSWORD }),
  signOut: () => b.people.viewer.browser.ask('DELETE', '/session'),
  changePassword: () =>
    b.people.admin.browser.ask('POST', '/profile/password', {
      current_password: PASSWORD,
      new_password: `${PASSWORD} again`,
    }),
  closeAccount: () => control('POST', within('/account/close', b.id), { name: nameOf(b.id) }),
};

/** Why a route is not among them. */
const OTHERS: Readonly<Record<string, string>> = {
  signInWithCode: 'the same transaction as signIn, after a code was used up',
  readLink: 'changes nothing',
  setUp: 'once in an installation; see links.test.ts',
  signUp: 'mails, and changes nothing else',
  confirmEmail: 'see links.test.ts',
  acceptInvitation: 'see invitation-links.test.ts',
  forgotPassword: 'mails, and changes nothing else that is audited',
  resetPassword: 'see links.test.ts',
  startTotp: 'changes nothing that matters',
  confirmTotp: 'see profile.test.ts',
  removeTotp: 'see profile.test.ts',
  renewRecoveryCodes: 'see profile.test.ts',
  deleteCaptures: 'removes files; the entry follows',
  deleteBodies: 'removes files; the entry follows',
  sealLedger: 'moves files; the entry follows',
  adoptLedger: 'ends epochs of nodes; the entry follows',
  createBackup: 'makes files; the entry follows',
  sendSetAside: 'sends what the journal has; the ledger says what became of it',
  planRoute: 'changes nothing',
  testProvider: 'changes nothing',
  testOwnCredential: 'notes only how the provider answered',
  tryProvider: 'changes nothing',
  verifyAudit: 'changes nothing',
  verifyLedger: 'changes nothing',
};

test('every route of the contract that changes something is called here, or listed with a reason', () => {
  const changing = contractRoutes.filter(({ route }) => route.method !== 'GET').map(({ name }) => name);
  assert.deepEqual(changing.toSorted(), [...Object.keys(CHANGES), ...Object.keys(OTHERS)].toSorted());
});

for (const [name, change] of Object.entries(CHANGES))
  test(`${name} changes nothing if its entry cannot be written, and writes both if it can`, async () => {
    const before = dump();
    database.exec("CREATE TRIGGER no_entries BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no entries'); END");
    let refused: Reply;
    try {
      refused = await change();
    } finally {
      database.exec('DROP TRIGGER no_entries');
    }
    assert.ok(refused.status >= 500, `${refused.status} ${refused.text}`);
    assert.deepEqual(dump(), before);
    const entries = count('audit');
    const made = await change();
    assert.ok(made.status < 300, `${made.status} ${made.text}`);
    assert.ok(count('audit') > entries);
    assert.notDeepEqual(dump(), before);
  });

test('the audit log is intact afterwards', async () => {
  const { json } = await control('POST', '/audit/verify', {});
  assert.equal(json.data.ok ?? json.data.broken_at === null, true, JSON.stringify(json));
});

/** Written whatever happens to a request: answers kept for retries, pinned prices. */
const APART = new Set(['creations', 'price_versions', 'names', 'sqlite_sequence', 'facts']);

/** Every row that a change may write, as text. */
function dump(): Readonly<Record<string, unknown>> {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const rows: Record<string, unknown> = {};
  for (const { name } of tables) {
    const table = String(name);
    if (APART.has(table)) continue;
    // Every request writes when a session was last used.
    const columns = table === 'sessions' ? 'id, user_id, state, created_at' : '*';
    rows[table] = database.prepare(`SELECT ${columns} FROM "${table}"`).all().map(written);
  }
  const ring = readFileSync(join(town.bench.dataFolder, 'sealing.key'));
  return { ...rows, ring: createHash('sha256').update(ring).digest('hex') };
}

function written(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(row, (_, value) =>
    value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value,
  );
}

function count(table: string): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM "${table}"`).get()?.['count']);
}

function sessionOf(user: number): number {
  return Number(database.prepare('SELECT max(id) AS id FROM sessions WHERE user_id = ?').get(user)?.['id']);
}

function sharedAlias(): number {
  return Number(database.prepare('SELECT id FROM aliases WHERE account_id = 0').get()?.['id']);
}

function nameOf(account: number): string {
  return String(database.prepare('SELECT name FROM accounts WHERE id = ?').get(account)?.['name']);
}
