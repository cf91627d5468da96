/** Why a database cannot be reached, in a sentence that says what to do, without its password. */
import { codeOf } from './postgres-errors.ts';
import { addressOf } from './server-address.ts';

/** A database that cannot be used as it is; the message says what to do. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/** An error of the first statement on a connection. */
export function explainConnection(error: unknown, url: string): UnusableDatabase {
  const { server, database, user } = addressOf(url);
  const code = codeOf(error);
  const sentence = sentences({ server, database, user }, code, error instanceof Error ? error.message : String(error));
  return new UnusableDatabase(sentence, { cause: error });
}

function sentences(
  { server, database, user }: ReturnType<typeof addressOf>,
  code: string | null,
  message: string,
): string {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `Nothing listens at ${server}, where the database is expected. Start PostgreSQL, or correct database.url (DATABASE_URL).`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of the database, ${server}, is not known to DNS. Correct database.url (DATABASE_URL), or the machine's DNS.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return unanswered(server);
    case '28P01':
      return `PostgreSQL at ${server} refused the password of ${user}. Correct it in database.url (DATABASE_URL), or set it there: ALTER ROLE ${quoted(user)} PASSWORD '…'.`;
    case '28000':
      return `PostgreSQL at ${server} does not let ${user} connect to ${database} from here (${message}). Create the role, or allow it in pg_hba.conf.`;
    case '3D000':
      return `PostgreSQL at ${server} has no database ${database}. Create it: CREATE DATABASE ${quoted(database)} OWNER ${quoted(user)};`;
    case '42501':
      return `${user} may not connect to the database ${database} at ${server}. Allow it: GRANT ALL ON DATABASE ${quoted(database)} TO ${quoted(user)};`;
    case '53300':
      return `PostgreSQL at ${server} has no free connection (${message}). Raise max_connections there, or lower database.connections here.`;
    case '57014':
      return `PostgreSQL at ${server} ended a statement after its time limit. If ${user} has one that is too short, remove it: ALTER ROLE ${quoted(user)} RESET statement_timeout; otherwise see what keeps the server busy.`;
    case '57P03':
      return `PostgreSQL at ${server} is starting or stopping (${message}). Start again when it is up.`;
    default:
      if (code !== null && (code.includes('CERT') || code.startsWith('UNABLE_TO_')))
        return `The certificate of PostgreSQL at ${server} is not trusted (${message}). If a private authority signed it, set NODE_EXTRA_CA_CERTS to its file; the name in database.url (DATABASE_URL) has to be the certificate's.`;
      if (/does not support SSL/.test(message))
        return `PostgreSQL at ${server} has no TLS, which database.url (DATABASE_URL) asks for. Turn it on there (ssl = on), or remove sslmode from the URL if the network is trusted.`;
      if (code === null && /terminated unexpectedly/i.test(message))
        return `What listens at ${server} closed the connection at once. If that is not PostgreSQL, correct database.url (DATABASE_URL); otherwise its log says why.`;
      return code === null && /timeout|timed out/i.test(message)
        ? unanswered(server)
        : `The database ${database} at ${server} cannot be used: ${message}.`;
  }
}

function unanswered(server: string): string {
  return `PostgreSQL at ${server} does not answer. Check that it runs and that no firewall is in between, or correct database.url (DATABASE_URL).`;
}

/** An identifier as SQL has it. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
