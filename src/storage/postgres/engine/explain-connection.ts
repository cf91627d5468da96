/** Why a database cannot be reached, in a sentence that says what to do, without its password. */
import { codeOf } from './postgres-errors.ts';
import { addressOf, type ServerAddress } from './server-address.ts';

/** A database that cannot be used as it is; the message says what to do. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/** Which option has the URL, as sentences name it, and what that is a URL of. */
export interface UrlOption {
  readonly name: string;
  readonly isReplica: boolean;
}

export const DATABASE_URL: UrlOption = { name: 'database.url (DATABASE_URL)', isReplica: false };
export const READ_URL: UrlOption = { name: 'database.readUrl (TURNPIKE_DATABASE_READ_URL)', isReplica: true };

/** An error of the first statement on a connection. */
export function explainConnection(error: unknown, url: string, option: UrlOption = DATABASE_URL): UnusableDatabase {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = sentences({ ...addressOf(url), ...option }, codeOf(error), message);
  return new UnusableDatabase(sentence, { cause: error });
}

function sentences(place: ServerAddress & UrlOption, code: string | null, message: string): string {
  const { server, database, user, name, isReplica } = place;
  const subject = isReplica ? `The replica for reports at ${server}` : `PostgreSQL at ${server}`;
  const what = isReplica ? 'the replica for reports' : 'the database';
  // A standby has the roles of its primary, and they are changed there.
  const at = isReplica ? ' at its primary' : '';
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `Nothing listens at ${server}, where ${what} is expected. Start PostgreSQL, or correct ${name}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of ${what}, ${server}, is not known to DNS. Correct ${name}, or the machine's DNS.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return unanswered(subject, name);
    case '28P01':
      return `${subject} refused the password of ${user}. Correct it in ${name}, or set it${at === '' ? ' there' : at}: ALTER ROLE ${quoted(user)} PASSWORD '…'.`;
    case '28000':
      return `${subject} does not let ${user} connect to ${database} from here (${message}). Create the role${at}, or allow it in pg_hba.conf${/no encryption/.test(message) ? `; if it only takes TLS, add ?sslmode=verify-full to ${name}` : ''}.`;
    case '3D000':
      return isReplica
        ? `${subject} has no database ${database}. A replica has the databases of its primary: correct ${name}.`
        : `${subject} has no database ${database}. Create it: CREATE DATABASE ${quoted(database)} OWNER ${quoted(user)};`;
    case '42501':
      return `${user} may not connect to the database ${database} at ${server}. Allow it${at}: GRANT ALL ON DATABASE ${quoted(database)} TO ${quoted(user)};`;
    case '53300':
      return `${subject} has no free connection (${message}). Raise max_connections there, or lower database.connections here.`;
    case '57014':
      return `${subject} ended a statement after its time limit. If ${user} has one that is too short, remove it${at}: ALTER ROLE ${quoted(user)} RESET statement_timeout; otherwise see what keeps the server busy.`;
    case '57P03':
      return `${subject} is starting or stopping (${message}). Start again when it is up.`;
    default:
      if (isReplica && code === '40001')
        return `${subject} ended a statement that what it replays came in the way of (${message}). Raise max_standby_streaming_delay there, or set hot_standby_feedback = on.`;
      if (code !== null && (code.includes('CERT') || code.startsWith('UNABLE_TO_')))
        return `The certificate of PostgreSQL at ${server} is not trusted (${message}). If a private authority signed it, add sslrootcert=/path/to/its.pem to ${name}, or set NODE_EXTRA_CA_CERTS to that file; the name of the host in the URL has to be the certificate's.`;
      if (/does not support SSL/.test(message))
        return `${subject} has no TLS, which ${name} asks for. Turn it on there (ssl = on), or write sslmode=disable in the URL if the network is trusted.`;
      if (/statement pooling mode/.test(message))
        return `The connection pooler at ${server} is in statement mode, in which a change of several statements is not possible. Set pool_mode = transaction there, or let ${name} name PostgreSQL itself.`;
      if (code === null && /terminated unexpectedly/i.test(message))
        return `What listens at ${server} closed the connection at once. If that is not PostgreSQL, correct ${name}; otherwise its log says why.`;
      return code === null && /timeout|timed out/i.test(message)
        ? unanswered(subject, name)
        : `The database ${database} at ${server}, which ${name} names, cannot be used: ${message}.`;
  }
}

function unanswered(subject: string, name: string): string {
  return `${subject} does not answer. Check that it runs and that no firewall is in between, or correct ${name}.`;
}

/** An identifier as SQL has it. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
