/** The first operator, and requests of a person without clicking. */
import assert from 'node:assert/strict';
import type { APIRequestContext } from 'playwright-core';
import type { Person } from './browser.ts';

export const OPERATOR = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' } as const;

/** Creates the operator with the link. */
export async function setUp(link: string): Promise<void> {
  const { origin, hash } = new URL(link);
  await post(origin, '/setup', { token: hash.slice('#token='.length), ...OPERATOR });
}

/** Signs in without the page: one test covers what signing in looks like. */
export async function signIn(
  person: Person,
  who: { readonly email: string; readonly password: string },
): Promise<void> {
  const { email, password } = who;
  await send(person, 'POST', '/session', { email, password });
}

/** A management API request in the page's session, as its own script sends it; returns the answer's body. */
export async function send<Answer>(person: Person, method: string, path: string, data?: unknown): Promise<Answer> {
  const { request }: { request: APIRequestContext } = person.context;
  const response = await request.fetch(`/api/dashboard${path}`, {
    method,
    headers: { origin: person.url },
    ...(data === undefined ? {} : { data }),
  });
  assert.ok(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`);
  return (await response.json()) as Answer;
}

export function ask(url: string, key: string, content: string, model: string, tokensMax = 50): Promise<Response> {
  return fetch(`${url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: tokensMax, messages: [{ role: 'user', content }] }),
  });
}

async function post(url: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/api/dashboard${path}`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.text()}`);
}
