/** What is wrong with a Valkey or Redis, in words that name the server, and never its password. */

import { BadReply } from './reply-guard.ts';

const DEFAULT_PORT = '6379';
/** Of a server's own words. */
const WORDS_MAX = 200;
/** What the server says, and what to do, where its words do not say it. */
const ADVICE: readonly (readonly [code: string, advice: string])[] = [
  [
    'MOVED',
    'it is part of a cluster; set valkey.url (VALKEY_URL) to a server that is not, or to the node of a cluster that it names',
  ],
  ['READONLY', 'it is a replica; set valkey.url (VALKEY_URL) to the primary'],
  ['WRONGPASS', 'correct the user and the password in valkey.url (VALKEY_URL)'],
  ['NOAUTH', 'it wants a password; add it to valkey.url (VALKEY_URL), like redis://:password@host:6379'],
  [
    'NOPERM',
    'allow the user of valkey.url (VALKEY_URL) scripts, and the commands in them, on keys that begin with {turnpike:',
  ],
];

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
  if (isRefusal(words)) return refusal(at, words);
  const reason = connecting ?? error;
  if (reason instanceof BadReply)
    return `what ${at} sends is no reply of a Valkey (${reason.message}): another program listens there, or it expects TLS (rediss://)`;
  const { code } = reason as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return `connection refused by ${at}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name of ${at} is not known here`;
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_') === true)
    return `${at} does not speak TLS as expected (${code}); if it has none, valkey.url (VALKEY_URL) begins with redis://`;
  if (code !== undefined && (code.includes('CERT') || code.startsWith('UNABLE_TO_')))
    return `the certificate of ${at} is not trusted (${code}); if a private authority signed it, set NODE_EXTRA_CA_CERTS to its file`;
  if (connecting !== null && isRefusal(connecting.message)) return refusal(at, connecting.message);
  return `there is no connection to ${at}${code === undefined ? '' : ` (${code})`}`;
}

/** A server's own refusal (NOAUTH, LOADING, OOM, …) is in capitals. */
function isRefusal(words: string): boolean {
  return /^[A-Z]{3,20} /.test(words);
}

function refusal(at: string, words: string): string {
  const shown = words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words;
  const advice = ADVICE.find(([code]) => words.startsWith(`${code} `))?.[1];
  return `${at} answered: ${shown}${advice === undefined ? '' : ` (${advice})`}`;
}
