/**
 * Goal: what people type and what is shown once is nowhere afterwards. Method: like `test/canary.test.ts`, at the
 * dashboard: the real program, with all logging on, does everything that involves a secret, with success and failure; then what
 * it printed, returned, measured and stored is searched for each of them.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OPEN_MODEL } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { type ServeProcess, startServer } from '../support/serve-process.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';
import { type Asked, ask, type Reply } from './ask.ts';
import { codeAt, fromBase32 } from './authenticator.ts';
import { Browser } from './browser.ts';
import { bearer, good, tokenIn } from './two-accounts.ts';

const ADMIN = { email: 'admin@example.com', password: 'canary of the first operator' };
const PASSWORDS = ['canary of a new member', 'canary of a changed password', 'canary of a reset password'] as const;
const WRONG = 'canary that is no password';
const CREDENTIALS = ['canary.of.a.credential', 'canary.of.another.credential', 'canary.of.a.tried.credential'] as const;
const PROMPT = 'the canary in a kept prompt sings';

/** Name → value; filled as they appear. */
const secrets = new Map<string, string>([
  ['the password of the configuration', ADMIN.password],
  ['a wrong password', WRONG],
  ['a prompt', PROMPT],
  ...PASSWORDS.map((each, index): [string, string] => [`password ${index}`, each]),
  ...CREDENTIALS.map((each, index): [string, string] => [`credential ${index}`, each]),
]);
/** Bodies of errors, and of streams that end separately. */
const reply: string[] = [];

let upstream: ScriptedUpstream;
let server: ServeProcess;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  server = await startServer({ demo: false, log: { level: 'trace' }, admin: ADMIN });
});
after(async () => {
  await server?.remove();
  await upstream.close();
});

/** Records the cookie, and the body of an error. */
class Watched extends Browser {
  override async ask(method: string, path: string, body?: object, headers: Asked['headers'] = {}): Promise<Reply> {
    const answer = await super.ask(method, path, body, headers);
    noteError(answer);
    if (this.cookie !== null) secrets.set(`session ${this.cookie.slice(-6)}`, this.cookie.split('=')[1] ?? '');
    return answer;
  }
}

test('everything that involves a secret, with success and failure', { timeout: 60_000 }, async () => {
  const { url, dataFolder } = server;
  const admin = new Watched(url);
  await admin.signIn(ADMIN.email, WRONG);
  await admin.ask('POST', '/session', { email: WRONG, password: WRONG });
  await admin.ask('POST', '/session', { email: ADMIN.email, password: [WRONG] });
  await admin.ask('POST', '/session', { email: ADMIN.email, password: WRONG, remember: WRONG });
  await admin.ask('GET', `/session?token=${encodeURIComponent(WRONG)}`);
  await admin.ask('GET', `/no-such-thing?password=${encodeURIComponent(WRONG)}`);
  good(await admin.signIn(ADMIN.email, ADMIN.password));

  await aMember(admin);
  await aSecondFactor();
  await keysOf(admin);
  await providersOf(admin);
  await aKeptPrompt(admin);

  const reset = await ask(join(dataFolder, 'control.sock'), {
    method: 'POST',
    path: '/control/api/admin/reset',
    body: { email: 'member@example.com' },
  });
  const token = tokenIn(good(reset).json.data.url);
  secrets.set('the token of a reset', token);
  const member = new Watched(url);
  await member.ask('POST', '/password/reset', { token, password: 'short' });
  good(await member.ask('POST', '/password/reset', { token, password: PASSWORDS[2] }));
  await member.ask('POST', '/password/reset', { token, password: PASSWORDS[2] });
  good(await admin.ask('DELETE', '/session'));
  assert.ok(reply.length > 15, `${reply.length} errors were returned`);
});

async function aMember(admin: Watched): Promise<void> {
  const invited = good(
    await admin.ask('POST', '/invitations', { role: 'admin' }, { 'idempotency-key': 'invite-1' }),
  ).json;
  const unused = good(await admin.ask('POST', '/invitations', { email: 'late@example.com' })).json;
  const token = tokenIn(invited.link);
  secrets.set('the token of an invitation', token).set('the token of an open invitation', tokenIn(unused.link));
  const member = new Watched(server.url);
  const person = { token, email: 'member@example.com', name: 'Member' };
  good(await member.ask('POST', '/links', { token }));
  await member.ask('POST', '/links', { token: `${token}x` });
  await member.ask('POST', '/invitations/accept', { ...person, password: 'member@example.com' });
  good(await member.ask('POST', '/invitations/accept', { ...person, password: PASSWORDS[0] }));
  await member.ask('POST', '/invitations/accept', { ...person, password: PASSWORDS[0] });
  good(await member.signIn('member@example.com', PASSWORDS[0]));
  await member.ask('POST', '/profile/password', { current_password: WRONG, new_password: PASSWORDS[1] });
  const change = { current_password: PASSWORDS[0], new_password: PASSWORDS[1] };
  good(await member.ask('POST', '/profile/password', change));
}

async function aSecondFactor(): Promise<void> {
  const member = new Watched(server.url);
  good(await member.signIn('member@example.com', PASSWORDS[1]));
  await member.ask('POST', '/profile/totp', { password: WRONG });
  const { secret } = good(await member.ask('POST', '/profile/totp', { password: PASSWORDS[1] })).json.data;
  const bytes = fromBase32(secret);
  secrets.set('the secret of an authenticator', secret).set('the same as bytes', bytes.toString('latin1'));
  const code = codeAt(secret, Date.now());
  const { recovery_codes: codes } = good(await member.ask('POST', '/profile/totp/confirm', { code })).json.data;
  for (const [index, each] of codes.entries()) secrets.set(`recovery code ${index}`, each);
  const again = new Watched(server.url);
  good(await again.signIn('member@example.com', PASSWORDS[1]));
  await again.ask('POST', '/session/totp', { code: 'ABCD-EFGH-2345-WXYZ' });
  good(await again.ask('POST', '/session/totp', { code: codes[0] }));
}

async function keysOf(admin: Watched): Promise<void> {
  const made = good(await admin.ask('POST', '/keys', { name: 'one' }, { 'idempotency-key': 'key-1' })).json;
  const replayed = good(await admin.ask('POST', '/keys', { name: 'one' }, { 'idempotency-key': 'key-1' })).json;
  assert.equal(replayed.key, made.key);
  const rotated = good(await admin.ask('POST', `/keys/${made.data.id}/rotate`, {})).json;
  const managing = good(await admin.ask('POST', '/keys', { kind: 'management' })).json;
  secrets.set('a key', made.key).set('its successor', rotated.key).set('a management key', managing.key);
  for (const headers of [bearer(made.key), bearer(managing.key), bearer(`${managing.key}x`), { 'x-api-key': made.key }])
    noteError(await ask(server.url, { path: '/api/v1/keys', headers }));
  noteError(
    await ask(server.url, { path: `/api/v1/keys/${encodeURIComponent(made.key)}`, headers: bearer(managing.key) }),
  );
}

async function providersOf(admin: Watched): Promise<void> {
  const provider = { kind: 'custom', origin: upstream.origin, dialects: ['openai-chat'] };
  const models = [{ upstream: 'scripted-1', id: OPEN_MODEL, price: { input: '1', output: '5' } }];
  const body = { name: 'scripted', ...provider, credential: CREDENTIALS[0], model_settings: models };
  good(await admin.ask('POST', '/providers', body, { 'idempotency-key': 'provider-1' }));
  await admin.ask('POST', '/providers', body);
  await admin.ask('POST', '/providers', { ...body, name: 'Not A Name' });
  await admin.ask('POST', '/providers', { ...body, name: 'other', kind: CREDENTIALS[0] });
  await admin.ask('POST', '/providers', { ...body, name: 'other', credential: `${CREDENTIALS[0]}\r\nx: y` });
  good(await admin.ask('PATCH', '/providers/scripted', { credential: CREDENTIALS[1] }));
  upstream.play(refuse(401, { error: { message: `no such key: ${CREDENTIALS[1]}, ${CREDENTIALS[2]}` } }));
  reply.push(good(await admin.ask('POST', '/providers/scripted/test', {})).text);
  reply.push(good(await admin.ask('POST', '/provider-tests', { ...provider, credential: CREDENTIALS[2] })).text);
  reply.push(good(await admin.ask('GET', '/providers')).text);
  upstream.play(answerWell);
}

async function aKeptPrompt(admin: Watched): Promise<void> {
  good(await admin.ask('PATCH', '/account', { capture: { on: true } }));
  const body = { model: OPEN_MODEL, max_tokens: 9, messages: [{ role: 'user', content: PROMPT }] };
  const called = await ask(server.url, {
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: bearer(server.key),
    body,
  });
  const id = String(good(called).headers['x-generation-id']);
  const kept = good(await admin.ask('GET', `/calls/${id}/bodies`));
  assert.ok(kept.text.includes(PROMPT));
  reply.push(good(await admin.ask('GET', `/calls/${id}`)).text, good(await admin.ask('GET', '/audit?limit=200')).text);
}

test('nothing that was printed, returned, measured or stored contains one of them', { timeout: 30_000 }, async () => {
  const metrics = (await ask(server.url, { path: '/metrics' })).text;
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await exited;
  const printed = server.printed();
  assert.ok(printed.split('\n').length > 3, 'there is something to search');
  const places: [string, Buffer][] = [
    ['an error, or what lists show', Buffer.from(reply.join('\n'))],
    ['/metrics', Buffer.from(metrics)],
    ['the output', Buffer.from(printed)],
    ...filesOf(server.dataFolder).map((path): [string, Buffer] => [path, readFileSync(path)]),
  ];
  assert.ok(places.some(([place]) => place.endsWith('turnpike.db')));
  assert.ok(places.some(([place]) => /captures\/.*\.db$/.test(place)));
  assert.ok(secrets.size > 25, `${secrets.size} secrets`);
  const found: string[] = [];
  for (const [place, bytes] of places) {
    for (const [name, secret] of secrets)
      for (const form of formsOf(secret)) if (bytes.includes(form)) found.push(`${name} in ${place}`);
  }
  assert.deepEqual(found, []);
});

function noteError({ status, text }: Reply): void {
  if (status >= 400) reply.push(text);
}

/** The secret itself, as the bytes it encodes if it does, and its forms in an address, in base64 and in hexadecimal. */
function formsOf(secret: string): (string | Buffer)[] {
  const bytes = Buffer.from(secret, 'latin1');
  const forms = [bytes, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64').slice(0, -4)];
  return /^[\w-]{43}$/.test(secret) ? [...forms, Buffer.from(secret, 'base64url')] : forms;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
