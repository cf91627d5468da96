/** What cannot be done without the database: at every door it is refused soon, as the database's fault, with the time to try again. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newSecret } from '../../../../src/accounts/secret/key-secret.ts';
import { control } from '../../../support/control.ts';
import { LOAD_MODEL } from '../load/paced-provider.ts';
import type { ClusterNode } from './cluster.ts';

export interface Refused {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly ms: number;
  readonly text: string;
}

interface Asked {
  readonly what: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly isControl?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A key of another account with money, which no node has served. */
export async function newAccountKey({ installation: { dataFolder } }: ClusterNode): Promise<string> {
  const made = async (path: string, body: object) => {
    const { status, body: answer } = await control(dataFolder, 'POST', `/control/api${path}`, body);
    assert.equal(status, 201, JSON.stringify(answer));
    return answer as { readonly key: string; readonly data: { readonly id: string } };
  };
  const { id } = (await made('/accounts', { name: 'not served yet' })).data;
  await made(`/balance/entries?account=${id}`, { amount: '5', reference: 'for the outage', note: 'credit' });
  return (await made(`/keys?account=${id}`, { name: 'not served yet' })).key;
}

/** Asks for all of it at once. Throws if something was answered otherwise, or kept waiting for longer than `withinMs`. */
export async function askForWhatNeedsDatabase(
  node: ClusterNode,
  key: string,
  withinMs: number,
): Promise<readonly Refused[]> {
  const refused = await Promise.all(asked(node, key).map((each) => ask(node, each)));
  for (const each of refused) {
    const seen = `${each.what}: ${each.status} after ${each.ms.toFixed(0)} ms: ${each.text.slice(0, 200)}`;
    assert.equal(each.status, 503, seen);
    assert.ok(Number(each.retryAfter) > 0, `${seen}: Retry-After is ${each.retryAfter}`);
    assert.ok(each.ms <= withinMs, seen);
    assert.match(each.text, /try again/i, seen);
  }
  return refused;
}

function asked(node: ClusterNode, notServed: string): readonly Asked[] {
  const json = { 'content-type': 'application/json' };
  const call = (key: string) => ({
    method: 'POST' as const,
    path: '/api/v1/chat/completions',
    headers: { authorization: `Bearer ${key}`, ...json },
    body: { model: LOAD_MODEL, messages: [{ role: 'user', content: 'Hi' }] },
  });
  const reads = [
    '/people',
    '/balance',
    '/ledger',
    '/usage?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
    '/calls',
    '/audit',
    '/accounts',
    '/keys',
  ];
  return [
    { what: 'a call with an unknown key', ...call(newSecret().reveal()) },
    { what: 'a call of an account that was not served', ...call(notServed) },
    ...reads.map((path) => ({
      what: `GET ${path}`,
      method: 'GET' as const,
      path: `/control/api${path}`,
      isControl: true,
    })),
    {
      what: 'a new key',
      method: 'POST',
      path: '/control/api/keys',
      isControl: true,
      headers: json,
      body: { name: 'meanwhile' },
    },
    {
      what: 'signing in',
      method: 'POST',
      path: '/api/dashboard/session',
      headers: { 'sec-fetch-site': 'same-origin', ...json },
      body: { email: 'ada@example.com', password: 'not the password' },
    },
    {
      what: 'a page of the dashboard',
      method: 'GET',
      path: '/api/dashboard/profile',
      headers: { cookie: `turnpike-session=${'A'.repeat(43)}` },
    },
    {
      what: 'credits',
      method: 'GET',
      path: '/api/v1/credits',
      headers: { authorization: `Bearer ${node.installation.key}` },
    },
  ];
}

function ask(node: ClusterNode, { what, method, path, isControl, headers = {}, body }: Asked): Promise<Refused> {
  const { hostname: host, port } = new URL(node.url);
  const where =
    isControl === true ? { socketPath: join(node.installation.dataFolder, 'control.sock') } : { host, port };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = body === undefined ? '' : JSON.stringify(body);
    request(
      { ...where, method, path, headers: { ...headers, 'content-length': Buffer.byteLength(sent) } },
      (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        text(response).then(
          (answer) =>
            resolve({
              what,
              status,
              retryAfter: answered['retry-after'],
              ms: performance.now() - startedAt,
              text: answer,
            }),
          reject,
        );
      },
    )
      .on('error', reject)
      .end(sent);
  });
}
