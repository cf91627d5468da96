/** Whether a Valkey or Redis answers, for `turnpike doctor`. */
import type { Secret } from '../../core/secret.ts';

const PATIENCE_MS = 2_000;

/** Null if it answers, otherwise why not: the client's words, which have no password. */
export async function probeValkey(url: Secret): Promise<string | null> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url.reveal(), {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let cause: string | null = null;
  client.on('error', ({ message }: Error) => (cause = message));
  try {
    await client.connect();
    await client.ping();
    return null;
  } catch (error) {
    return cause ?? (error as Error).message;
  } finally {
    client.disconnect();
  }
}
