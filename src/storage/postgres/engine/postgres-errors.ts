/** Classifies errors of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), of its client and of the network. */

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const READ_ONLY = '25006';
const LOCK_NOT_AVAILABLE = '55P03';

/** Classes of codes that say something about the server, not about the statement. */
const TROUBLE_CLASSES = new Set([
  /** Connection exceptions. */
  '08',
  /** Authorization: a password that was changed while the program runs. */
  '28',
  /** Rolled back because of what others do. */
  '40',
  /** Insufficient resources: disk full, out of memory, too many connections. */
  '53',
  /** Operator intervention: shutdown, cancelled, cannot connect now, database dropped. */
  '57',
  /** System errors: input or output. */
  '58',
]);
const TROUBLE_CODES = new Set([
  READ_ONLY,
  /** A transaction was ended because it was idle, or took too long. */
  '25P03',
  '25P04',
  LOCK_NOT_AVAILABLE,
  /** The database does not exist any more. */
  '3D000',
]);

/** The transaction was rolled back because of another one: it may succeed if it is run again. */
export function isRetryable(error: unknown): boolean {
  return codesOf(error).some((code) => code === SERIALIZATION_FAILURE || code === DEADLOCK);
}

/** The server does not write: it is a standby, or was made one. */
export function isReadOnly(error: unknown): boolean {
  return codesOf(error).includes(READ_ONLY);
}

/** A lock was not free in time. */
export function isLockTimeout(error: unknown): boolean {
  return codesOf(error).includes(LOCK_NOT_AVAILABLE);
}

/** Other work has kept the database busy for too long. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/** The server does not answer: it hangs, or nothing reaches it. */
export class ServerSilent extends Error {
  override readonly name = 'ServerSilent';

  constructor() {
    super('the database does not answer');
  }
}

/** The server, the network or a lock is at fault, not the statement. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (chainOf(error).some((each) => each instanceof DatabaseBusy)) return true;
  return (
    isBroken(error) || codesOf(error).some((code) => TROUBLE_CODES.has(code) || TROUBLE_CLASSES.has(code.slice(0, 2)))
  );
}

/** The connection cannot be used any more: it is lost, a statement was not answered in time, or the server does not write. */
export function isBroken(error: unknown): boolean {
  return chainOf(error).some((each) => {
    if (each instanceof ServerSilent) return true;
    const code = 'code' in each ? each.code : undefined;
    if (typeof code !== 'string') return CLIENT_MESSAGES.some((message) => each.message.startsWith(message));
    return code === READ_ONLY || code.startsWith('08') || code.startsWith('57P') || NETWORK_CODES.has(code);
  });
}

/** The server or the network has ended the connection; not only because a statement took too long. */
export function isLost(error: unknown): boolean {
  return isBroken(error) && !isSilence(error);
}

/** There was no answer within the time limit of the client. */
export function isSilence(error: unknown): boolean {
  return chainOf(error).some(
    (each) => each instanceof ServerSilent || (!hasServerCode(each) && /timeout/.test(each.message)),
  );
}

/** A server that says why it ended a statement is there. */
function hasServerCode(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code);
}

/** Errors of the client itself, which have no code. */
const CLIENT_MESSAGES = [
  'Connection terminated',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  'Connection is closed',
  'Cannot use a pool after calling end on the pool',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
];

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENOENT',
  'EPROTO',
  // A certificate that has expired, or is not trusted: https://nodejs.org/api/tls.html#x509-certificate-error-codes
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

export function closedConnection(): Error {
  return new Error('Connection is closed: the storage is closing');
}

/** A constraint was violated: usually it is a duplicate. */
export function isConstraint(error: unknown): boolean {
  return codesOf(error).some((code) => code.startsWith('23'));
}

/** The code of PostgreSQL or of the network; null if it has none. */
export function codeOf(error: unknown): string | null {
  return codesOf(error)[0] ?? null;
}

/** Codes of five characters are the server's. */
function codesOf(error: unknown): readonly string[] {
  return chainOf(error).flatMap((each) => ('code' in each && typeof each.code === 'string' ? [each.code] : []));
}

/** The error and its causes; of an error of several addresses, each one's. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 10; each = each.cause) {
    chain.push(each);
    if (each instanceof AggregateError) chain.push(...each.errors.filter((inner) => inner instanceof Error));
  }
  return chain;
}
