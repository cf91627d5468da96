/** Whether a Valkey or Redis answers, for `turnpike doctor`. */
import type { Secret } from '../../core/secret.ts';
import { guardReplies } from './reply-guard.ts';
import { valkeyAt, valkeyTrouble } from './valkey-trouble.ts';

const PATIENCE_MS = 2_000;

/** Null if it answers, otherwise why not, without the password. */
export async function probeValkey(url: Secret): Promise<string | null> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url.reveal(), {
    lazyConnect: true,
    protocol: 2,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let connecting: Error | null = null;
  client.on('error', (error: Error) => (connecting = error));
  client.on('connect', () => guardReplies(client.stream));
  try {
    await client.connect();
    await client.ping();
    return null;
  } catch (error) {
    return valkeyTrouble(error as Error, { at: valkeyAt(url.reveal()), connecting, answerMs: PATIENCE_MS });
  } finally {
    client.disconnect();
  }
}
