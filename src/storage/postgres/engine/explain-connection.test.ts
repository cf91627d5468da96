/**
 * Goal: what keeps a database from being used is a sentence that names the option that has its URL, and no other one, and never a
 * password. Method: every error that has a sentence of its own, of the database, of the replica for reports, and of a URL on a command line.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASE_URL, explainConnection, READ_URL, type UrlOption } from './explain-connection.ts';

const URL = 'postgres://ada:secret-word@db.example:6432/turnpike';
const COMMAND_LINE: UrlOption = { name: '--to', isReplica: false };

/** Errors of the network, of the server and of the client. */
const ERRORS: readonly (readonly [code: string | null, message: string])[] = [
  ...['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  ...[
    '28P01',
    '28000',
    '3D000',
    '42501',
    '40001',
    '53300',
    '57014',
    '57P03',
    'CERT_HAS_EXPIRED',
    'UNABLE_TO_GET_ISSUER_CERT',
  ],
  'XX000',
].map((code) => [code, 'what it says'] as const);
const MESSAGES: typeof ERRORS = [
  [null, 'The server does not support SSL connections'],
  [null, 'Connection terminated unexpectedly'],
  [null, 'timeout expired'],
  [null, 'something else'],
  ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "ada", database "turnpike", no encryption'],
  ['08P01', 'transaction blocks not allowed in statement pooling mode'],
];

for (const [code, message] of [...ERRORS, ...MESSAGES])
  test(`${code ?? 'no code'}, "${message}": each option is named for its own URL only`, () => {
    const error = Object.assign(new Error(message), code === null ? {} : { code });
    const said = [DATABASE_URL, READ_URL, COMMAND_LINE].map((option) => explainConnection(error, URL, option).message);
    const [ofDatabase = '', ofReplica = '', ofCommandLine = ''] = said;
    for (const sentence of said) assert.ok(!sentence.includes('secret-word'), sentence);
    assert.doesNotMatch(ofDatabase, /readUrl|READ_URL|replica/);
    assert.doesNotMatch(ofReplica, /database\.url|\(DATABASE_URL\)|CREATE DATABASE/);
    assert.match(ofReplica, /replica|database\.readUrl \(TURNPIKE_DATABASE_READ_URL\)|at its primary|NODE_EXTRA/);
    assert.doesNotMatch(ofCommandLine, /DATABASE_URL|READ_URL|replica/);
  });

test('a pooler in statement mode is named, with the mode that it needs', () => {
  const error = Object.assign(new Error('transaction blocks not allowed in statement pooling mode'), { code: '08P01' });
  assert.equal(
    explainConnection(error, URL).message,
    'The connection pooler at db.example:6432 is in statement mode, in which a change of several statements is not possible. ' +
      'Set pool_mode = transaction there, or let database.url (DATABASE_URL) name PostgreSQL itself.',
  );
});
