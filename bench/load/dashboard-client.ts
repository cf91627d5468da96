/** The dashboard's API as a browser calls it: signed in, one request at a time. */
import type { Subject } from '../subject.ts';
import { OPERATOR } from '../turnpike-subject.ts';

const BASE = '/api/dashboard';

/** A person at a page. */
export interface Visit {
  readonly port: number;
  /** The `Cookie` header of the session. */
  readonly cookie: string;
}

/** The operator's session. Throws if the sign-in fails. */
export async function signIn({ port }: Subject): Promise<Visit> {
  const origin = `http://127.0.0.1:${port}`;
  const response = await fetch(`${origin}${BASE}/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(OPERATOR),
  });
  const [cookie] = response.headers.getSetCookie();
  if (!response.ok || cookie === undefined)
    throw new Error(`the operator could not sign in: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return { port, cookie: cookie.split(';', 1)[0] as string };
}

/** The answer's text, and how long it took. `path` is below the dashboard's door. Throws unless it is a success. */
export async function ask(
  { port, cookie }: Visit,
  path: string,
): Promise<{ readonly text: string; readonly tookMs: number }> {
  const startMs = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${BASE}${path}`, { headers: { cookie } });
  const text = await response.text();
  const tookMs = performance.now() - startMs;
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 300)}`);
  return { text, tookMs };
}

/** The same request as bytes, for callers that send many of them. */
export function getBytes({ port, cookie }: Visit, path: string): Buffer {
  return Buffer.from(
    `GET ${BASE}${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\naccept: application/json\r\n` +
      'user-agent: bench\r\n\r\n',
  );
}
