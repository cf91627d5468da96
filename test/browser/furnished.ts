/** A gateway in use: weeks of calls, people, keys, projects, providers, a call with stored bodies; and the tour of its pages. */
import { createHash } from 'node:crypto';
import { asker, awaitEnd, createBatch, inputOf, upload } from '../batches/batch-fixture.ts';
import { chatBody } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { SCRIPTED_MODEL } from '../support/start-gateway-with-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';
import { Person } from './browser.ts';
import { ask, OPERATOR, send, setUp, signIn } from './operator.ts';
import type { Stop } from './page-tour.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

export interface Furnished {
  readonly server: SeededServer;
  /** The person who created the data. */
  readonly stops: readonly Stop[];
  close(): Promise<void>;
}

interface Made {
  readonly data: { readonly id: number };
}

/** Enough that every page has something to show, and few enough to be made in a second. */
const CALLS = 1500;
/** Nothing listens here: a dead provider. */
const NOBODY = 'http://127.0.0.1:9';

export async function furnish(): Promise<Furnished> {
  const upstream = await startScriptedUpstream(answerWell);
  const server = await startSeededServer(CALLS, { providers: [providerAt(upstream)] });
  const close = async () => {
    await server.remove();
    await upstream.close();
  };
  try {
    return { server, stops: await fill(server, upstream.origin), close };
  } catch (error) {
    // A server left running would keep the test's process from ending, and hide why.
    await close();
    throw error;
  }
}

async function fill(server: SeededServer, origin: string): Promise<readonly Stop[]> {
  await setUp(server.setUpLink);
  const person = await Person.at(server.url);
  await signIn(person, OPERATOR);
  const project = await send<Made>(person, 'POST', '/projects', {
    name: 'Customer support',
    limits: { budgets: { month: '500' }, requests_per_minute: 600 },
  });
  const key = await send<Made & { readonly key: string }>(person, 'POST', '/keys', {
    name: 'helpdesk',
    project: project.data.id,
    limits: { budgets: { day: '5', month: '50' }, requests_per_minute: 60 },
    permissions: { models_allow: ['anthropic/*', SCRIPTED_MODEL], ips: ['127.0.0.0/8'] },
  });
  await send(person, 'POST', '/keys', { name: 'deploy script', kind: 'management' });
  const old = await send<Made>(person, 'POST', '/keys', { name: 'laptop of last year' });
  await send(person, 'DELETE', `/keys/${old.data.id}`);
  await send(person, 'POST', '/balance/entries', {
    kind: 'topup',
    amount: '120',
    reference: 'invoice 2026-118',
    note: 'Paid by bank transfer.',
  });
  await send(person, 'POST', '/providers', {
    name: 'house',
    kind: 'custom',
    origin: origin,
    credential: createHash('sha256').update(server.key).digest('hex'),
    dialects: ['openai-chat'],
    model_settings: [{ upstream: 'house-large', price: { input: '0.40', output: '1.60' }, context_length: 128_000 }],
  });
  await send(person, 'POST', '/providers', {
    name: 'cellar',
    kind: 'custom',
    origin: NOBODY,
    dialects: ['openai-chat'],
    model_settings: [{ upstream: 'cellar-small', price: 'free' }],
  });
  const targets = [
    { model: SCRIPTED_MODEL, weight: 95 },
    { model: 'house/house-large', provider: 'house', weight: 5 },
    { model: 'cellar/cellar-small', weight: 0 },
  ];
  await send(person, 'POST', '/aliases', { name: 'support/default', project: project.data.id, targets });
  const fast = await send<Made>(person, 'POST', '/installation-aliases', { name: 'fast', choice: 'random', targets });
  const secret = createHash('sha256').update(`own ${server.key}`).digest('hex');
  await send(person, 'POST', '/byok', { provider: 'openai', key: secret, name: 'Our contract', use: 'only' });
  await send(person, 'POST', '/byok', {
    provider: 'azure',
    key: secret,
    project: project.data.id,
    base_url: 'https://my-resource.openai.azure.com',
    allowed_models: ['openai/gpt-5*'],
    fallback: true,
    disabled: true,
  });
  for (let time = 0; time < 6; time += 1) await (await ask(server.url, server.key, 'hi', 'cellar/cellar-small')).text();
  await send(person, 'PATCH', '/account', { capture: { on: true } });
  const call = await keptCall(server.url, key.key);
  await refusedCall(server.url, key.key);
  await invite(person, server.url);
  await send(person, 'POST', '/invitations', { role: 'viewer', email: 'grace@example.com' });
  await person.leave();
  return stops({ key: key.data.id, alias: fast.data.id, call, batch: await endedBatch(server.url, key.key) });
}

/** For a person who has just joined. */
export function emptyStops(): readonly Stop[] {
  return [
    '',
    'keys',
    'usage',
    'calls',
    'account-batches',
    'aliases',
    'route',
    'billing',
    'projects',
    'own-credentials',
    'members',
    'audit',
    'providers',
    'accounts',
  ].map((name) => ({ name: `empty-${name === '' ? 'overview' : name}`, address: `/${name}` }));
}

function stops({
  key,
  alias,
  call,
  batch,
}: Readonly<Record<'key' | 'alias', number>> & Readonly<Record<'call' | 'batch', string>>): readonly Stop[] {
  return [
    { name: 'overview', address: '/' },
    { name: 'keys', address: '/keys?revoked=1' },
    { name: 'keys-new', address: '/keys?new=1', isOver: true },
    { name: 'key', address: `/keys/${key}` },
    { name: 'usage', address: '/usage?group_by=model&range=30d' },
    { name: 'calls', address: '/calls' },
    { name: 'calls-open', address: `/calls?call=${call}`, isOver: true },
    { name: 'calls-refused', address: '/calls?status=refused' },
    { name: 'call', address: `/calls/${call}` },
    { name: 'batches', address: '/account-batches' },
    { name: 'batch-open', address: `/account-batches?batch=${batch}`, isOver: true },
    { name: 'models', address: '/models' },
    { name: 'aliases', address: '/aliases' },
    { name: 'aliases-new', address: '/aliases?new=1', isOver: true },
    { name: 'aliases-edit', address: `/aliases?edit=${alias}`, isOver: true },
    { name: 'route', address: `/route?key=${key}&model=${encodeURIComponent(SCRIPTED_MODEL)}` },
    { name: 'billing', address: '/billing' },
    { name: 'billing-entry', address: '/billing?add=1', isOver: true },
    { name: 'projects', address: '/projects' },
    { name: 'own-credentials', address: '/own-credentials' },
    { name: 'own-credentials-new', address: '/own-credentials?new=1', isOver: true },
    { name: 'members', address: '/members' },
    { name: 'members-new', address: '/members?new=1', isOver: true },
    { name: 'connect', address: '/connect' },
    { name: 'settings', address: '/settings' },
    { name: 'settings-security', address: '/settings/security' },
    { name: 'settings-sessions', address: '/settings/sessions' },
    { name: 'settings-account', address: '/settings/account' },
    { name: 'settings-appearance', address: '/settings/appearance' },
    { name: 'audit', address: '/audit' },
    { name: 'providers', address: '/providers' },
    { name: 'providers-open', address: '/providers?provider=house', isOver: true },
    { name: 'providers-dead', address: '/providers?provider=cellar', isOver: true },
    { name: 'providers-new', address: '/providers?new=1', isOver: true },
    { name: 'load', address: '/load' },
    { name: 'nodes', address: '/nodes' },
    { name: 'accounts', address: '/accounts' },
    { name: 'people', address: '/people' },
    { name: 'not-found', address: '/nowhere' },
  ];
}

function providerAt(upstream: ScriptedUpstream): object {
  return {
    name: 'scripted',
    kind: 'custom',
    origin: upstream.origin,
    credential: 'canary-credential-of-the-scripted-provider',
    dialects: ['openai-chat', 'anthropic-messages'],
    models: [{ id: SCRIPTED_MODEL, upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 128_000 }],
  };
}

async function keptCall(url: string, key: string): Promise<string> {
  const response = await ask(url, key, 'What does the gateway add to the time of a call?', SCRIPTED_MODEL);
  await response.text();
  return response.headers.get('x-generation-id') ?? '';
}

/** With an answer and a failure. */
async function endedBatch(url: string, key: string): Promise<string> {
  const caller = asker(url, key);
  const bodies = [SCRIPTED_MODEL, 'acme/unknown'].map((model) => ({ ...chatBody(false), model }));
  const { id } = await createBatch(caller, await upload(caller, inputOf(bodies)));
  await awaitEnd(caller, id);
  return id;
}

/** A request for an unknown model with a long name. */
async function refusedCall(url: string, key: string): Promise<void> {
  const response = await ask(url, key, 'Hello', `acme/${'a-model-with-a-long-name-'.repeat(4)}`);
  await response.text();
}

/** A person who has joined, in addition to one who has not yet. */
async function invite(person: Person, url: string): Promise<void> {
  const { link } = await send<{ readonly link: string }>(person, 'POST', '/invitations', { role: 'developer' });
  const token = new URL(link).hash.slice('#token='.length);
  const guest = await Person.at(url);
  const who = { email: 'linus@example.com', name: 'Linus', password: 'a plain long sentence' };
  await send(guest, 'POST', '/invitations/accept', { token, ...who });
  await guest.leave();
}
