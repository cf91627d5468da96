/** The first operator of an installation, signed in at one node, who asks any of them. */
import assert from 'node:assert/strict';
import type { OpenGateway } from '../support/open-gateway.ts';

const OPERATOR = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' } as const;

export interface SignedIn {
  /** A request of the management API with the session, at any node. */
  fetch(node: OpenGateway, method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response>;
}

/** Creates the operator at this node. */
export async function signedIn(node: OpenGateway): Promise<SignedIn> {
  const { hash } = new URL((await node.app.setUpLink()) ?? '');
  const answer = await dashboard(node, 'POST', '/setup', '', { token: hash.slice('#token='.length), ...OPERATOR });
  assert.equal(answer.status, 200, await answer.text());
  return withSession(await signIn(node, OPERATOR));
}

/** The session's cookie. */
export async function signIn(
  node: OpenGateway,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const answer = await dashboard(node, 'POST', '/session', '', { email, password });
  assert.equal(answer.status, 200, await answer.text());
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

export function withSession(cookie: string): SignedIn {
  return { fetch: (node, method, path, body, signal) => dashboard(node, method, path, cookie, body, signal) };
}

function dashboard(
  { url }: OpenGateway,
  method: string,
  path: string,
  cookie: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/api/dashboard${path}`, {
    method,
    headers: { origin: url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}
