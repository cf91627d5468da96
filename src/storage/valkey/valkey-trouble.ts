/** What is wrong with a Valkey or Redis, in words that name the server, and never its password. */

const DEFAULT_PORT = '6379';

/** `Valkey at host:port`. The configuration has checked the URL. */
export function valkeyAt(url: string): string {
  const { hostname, port } = new URL(url);
  return `Valkey at ${hostname === '' ? 'localhost' : hostname}:${port === '' ? DEFAULT_PORT : port}`;
}

/**
 * What an operator reads in place of the client's error. `connecting`: why the last attempt to connect failed; null if none did. `answerMs`: the
 * client's own time limit.
 */
export function valkeyTrouble(
  error: Error,
  { at, connecting, answerMs }: { readonly at: string; readonly connecting: Error | null; readonly answerMs: number },
): string {
  const words = error.message;
  if (words === 'Command timed out') return `${at} did not answer within ${answerMs} ms`;
  // A server's own refusal (NOAUTH, LOADING, OOM, …) is in capitals.
  if (/^[A-Z]{3,20} /.test(words)) return `${at} answered: ${words}`;
  const reason = connecting ?? error;
  const { code } = reason as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return `connection refused by ${at}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name of ${at} is not known here`;
  if (connecting !== null && /^[A-Z]{3,20} /.test(connecting.message)) return `${at} answered: ${connecting.message}`;
  return `there is no connection to ${at}${code === undefined ? '' : ` (${code})`}`;
}
