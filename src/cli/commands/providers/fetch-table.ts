/** Reads a price table from an address that the operator gives. */
import { CommandFailed, UsageError } from '../../command-errors.ts';

/** The largest table known has 2 MB. */
const TABLE_BYTES_MAX = 32 * 1024 * 1024;
const PATIENCE_MS = 30_000;

/**
 * Only over https, without redirects: the prices decide what callers are charged. The whole answer has to come within `patienceMs`. Throws
 * `UsageError` for another kind of address, and `CommandFailed` that says why there is no table.
 */
export async function fetchTable(address: string, patienceMs = PATIENCE_MS): Promise<string> {
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
    throw new UsageError(`${address} is not an https address; save the table in a file, or use https`);
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the answer is ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > TABLE_BYTES_MAX) throw new Error(`it has more than ${TABLE_BYTES_MAX / 1024 / 1024} MiB`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    const { name, message, cause } = error as Error;
    const reason =
      name === 'TimeoutError'
        ? `it took longer than ${patienceMs / 1000} s`
        : cause instanceof Error
          ? cause.message
          : message;
    throw new CommandFailed(`${address} cannot be read: ${reason}`);
  }
}
