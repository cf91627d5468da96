/** The control socket of a running gateway, as its command line uses it. */
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

export interface ControlAnswer {
  readonly status: number;
  /** The test knows its shape. */
  readonly body: unknown;
}

export function control(dataFolder: string, method: string, path: string, body?: object): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    const sent = body === undefined ? '' : JSON.stringify(body);
    const headers =
      sent === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
    request({ socketPath: join(dataFolder, 'control.sock'), method, path, headers }, (response) => {
      json(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
    })
      .on('error', reject)
      .end(sent);
  });
}

/** A further inference key of the default project, by a name. */
export async function createKey(dataFolder: string, name: string): Promise<string> {
  const { status, body } = await control(dataFolder, 'POST', '/control/api/keys', { name });
  if (status !== 201) throw new Error(`the key was not made: ${status} ${JSON.stringify(body)}`);
  return (body as { key: string }).key;
}

export async function revokeKey(dataFolder: string, name: string): Promise<void> {
  const { status, body } = await control(dataFolder, 'DELETE', `/control/api/keys/${await keyId(dataFolder, name)}`);
  if (status !== 200) throw new Error(`the key was not revoked: ${status} ${JSON.stringify(body)}`);
}

/** The id of the newest key of a name. */
export async function keyId(dataFolder: string, name: string): Promise<number> {
  const { body } = await control(dataFolder, 'GET', `/control/api/all/keys?reference=${encodeURIComponent(name)}`);
  const [key] = (body as { data: readonly { id: number }[] }).data;
  if (key === undefined) throw new Error(`there is no key ${name}`);
  return key.id;
}
