/**
 * An installation with two customers, each with data of every kind: people of every role, projects, keys in every state,
 * a call with its bodies, an invitation, an entry; and an operator. The names of A's data say so.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { AppParts } from '../../src/app/app.ts';
import type { Role } from '../../src/members/ports.ts';
import { asker, awaitEnd, createBatch, upload } from '../batches/batch-fixture.ts';
import { type ConfigFile, chatBody, type OpenBench, openBench } from '../support/open-gateway.ts';
import { type Asked, ask, type Json, type Reply } from './ask.ts';
import { Browser } from './browser.ts';
import { hashCheaply } from './hashes.ts';

export const ROLES: readonly Role[] = ['owner', 'admin', 'developer', 'viewer'];
export const PASSWORD = 'a horse in the rain';

/** Of own credentials: nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly browser: Browser;
}

export interface Things {
  /** In the names of all data of the account. */
  readonly mark: string;
  readonly id: number;
  readonly people: Readonly<Record<Role, Person>>;
  readonly project: { readonly id: number; readonly name: string };
  /** Ids: of the account's, of the project's. */
  readonly aliases: readonly number[];
  readonly keys: Readonly<Record<'active' | 'disabled' | 'revoked' | 'retiring' | 'management', MadeKey>>;
  /** The call, `gen-…`. */
  readonly call: string;
  /** A batch whose input is wrong, so that it made no call. */
  readonly batch: string;
  readonly invitation: { readonly id: number; readonly token: string };
  /** An own credential of the project. */
  readonly credential: string;
  /** The owner's browser. */
  readonly session: number;
}

export interface MadeKey {
  readonly id: number;
  readonly hash: string;
  readonly secret: string;
}

export interface Town {
  readonly bench: OpenBench;
  readonly url: string;
  readonly socket: string;
  readonly operator: Person;
  readonly a: Things;
  readonly b: Things;
  /** As the operator at the control socket; `path` is below `/control/api`. */
  control(method: string, path: string, body?: object): Promise<Reply>;
  close(): Promise<void>;
}

export async function openTown(file: ConfigFile = {}, parts: Pick<AppParts, 'clock'> = {}): Promise<Town> {
  hashCheaply();
  const egress = { allow: ['127.0.0.1/32'], http: true };
  const bench = await openBench({ egress, ...file }, parts);
  const { url } = bench;
  const socket = join(bench.dataFolder, 'control.sock');
  const control: Town['control'] = (method, path, body) => ask(socket, { method, path: `/control/api${path}`, body });
  const operator = await makeOperator(bench);
  const a = await makeThings({ bench, control, mark: 'alder' });
  const b = await makeThings({ bench, control, mark: 'birch' });
  return { bench, url, socket, operator, a, b, control, close: () => bench.close() };
}

/** The token of a one-use link. */
export function tokenIn(link: string | null): string {
  return /#token=([\w-]{43})$/.exec(link ?? '')?.[1] ?? assert.fail('there is no token');
}

async function makeOperator({ app, url }: OpenBench): Promise<Person> {
  const browser = new Browser(url);
  const person = { email: 'operator@example.com', name: 'Olga', password: PASSWORD };
  good(await browser.ask('POST', '/setup', { token: tokenIn(await app.setUpLink()), ...person }));
  return { ...(await whoIs(browser)), browser };
}

interface Making {
  readonly bench: OpenBench;
  readonly control: Town['control'];
  readonly mark: string;
}

async function makeThings({ bench, control, mark }: Making): Promise<Things> {
  const make = async (method: string, path: string, body: object) => good(await control(method, path, body)).json;
  const id: number = (await make('POST', '/accounts', { name: `Account of ${mark}` })).data.id;
  const within = (path: string) => `${path}?account=${id}`;
  await make('PATCH', within('/account'), { capture: { on: true } });
  await make('POST', within('/balance/entries'), { amount: '25', reference: `${mark}-1`, note: `for ${mark}` });
  const people = await makePeople({ bench, make, within, mark });
  const project = (await make('POST', within('/projects'), { name: `Project of ${mark}` })).data;
  const keys = await makeKeys({ make, within, mark, project: project.id });
  const aliases: number[] = [];
  for (const scope of [{}, { project: project.id }]) {
    const alias = { name: `${mark}/fast`, targets: [{ model: 'scripted/model', weight: 1 }], ...scope };
    aliases.push((await make('POST', within('/aliases'), alias)).data.id);
  }
  const call = await makeCall(bench, keys.active.secret);
  const batch = await makeBatch(bench, keys.active.secret);
  const email = `guest@${mark}.example`;
  const invited = await make('POST', within('/invitations'), { email, role: 'viewer' });
  const secret = { key: `sk-own-of-${mark}-0123456789`, base_url: NOWHERE };
  const own = { provider: 'openai', name: `Own of ${mark}`, project: project.id, ...secret };
  const credential = (await make('POST', within('/byok'), own)).data.id;
  const sessions = good(await people.owner.browser.ask('GET', '/profile/sessions')).json.data;
  return {
    mark,
    id,
    people,
    project: { id: project.id, name: project.name },
    aliases,
    keys,
    call,
    batch,
    credential,
    invitation: { id: invited.data.id, token: tokenIn(invited.link) },
    session: sessions[0].id,
  };
}

type Make = (method: string, path: string, body: object) => Promise<Json>;
interface MakingWithin {
  readonly make: Make;
  readonly within: (path: string) => string;
  readonly mark: string;
}

async function makePeople({ bench, make, within, mark }: MakingWithin & { readonly bench: OpenBench }) {
  const people = await Promise.all(
    ROLES.map(async (role): Promise<[Role, Person]> => {
      const { link } = await make('POST', within('/invitations'), { role });
      const browser = new Browser(bench.url);
      const email = `${role}@${mark}.example`;
      const person = { email, name: `${role} of ${mark}`, password: PASSWORD };
      good(await browser.ask('POST', '/invitations/accept', { token: tokenIn(link), ...person }));
      good(await browser.signIn(email, PASSWORD));
      return [role, { ...(await whoIs(browser)), browser }];
    }),
  );
  return Object.fromEntries(people) as Record<Role, Person>;
}

async function makeKeys({ make, within, mark, project }: MakingWithin & { readonly project: number }) {
  const one = async (name: string, kind = 'inference'): Promise<MadeKey> => {
    const made = await make('POST', within('/keys'), { name: `${name} of ${mark}`, project, kind });
    return { id: made.data.id, hash: made.data.hash, secret: made.key };
  };
  const keys = {
    active: await one('active'),
    disabled: await one('disabled'),
    revoked: await one('revoked'),
    retiring: await one('retiring'),
    management: await one('management', 'management'),
  };
  await make('PATCH', within(`/keys/${keys.disabled.id}`), { disabled: true });
  await make('DELETE', within(`/keys/${keys.revoked.id}`), {});
  await make('POST', within(`/keys/${keys.retiring.id}/rotate`), {});
  return keys;
}

async function makeCall(bench: OpenBench, key: string): Promise<string> {
  const recorded = bench.nextRecord();
  const headers = { authorization: `Bearer ${key}` };
  const response = await bench.post('/api/v1/chat/completions', chatBody(false), headers);
  await response.text();
  assert.equal(response.status, 200);
  return `gen-${(await recorded).callId}`;
}

async function makeBatch({ url }: OpenBench, key: string): Promise<string> {
  const asked = asker(url, key);
  const { id } = await createBatch(asked, await upload(asked, 'no line of a batch'));
  await awaitEnd(asked, id);
  return id;
}

/** The data of a signed-in browser. */
export async function whoIs(browser: Browser): Promise<{ readonly id: number; readonly email: string }> {
  const { user } = (await browser.ask('GET', '/session')).json.data;
  return { id: user.id, email: user.email };
}

/** Fails with the text of the answer. */
export function good(reply: Reply): Reply {
  assert.ok(reply.status >= 200 && reply.status < 300, `${reply.status} ${reply.text}`);
  return reply;
}

export function bearer(secret: string): Asked['headers'] & object {
  return { authorization: `Bearer ${secret}` };
}
