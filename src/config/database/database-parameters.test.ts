/** Goal: no parameter of a database's URL is ignored, and a secret that ended up in one is not repeated. Method: a URL per mistake. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateFile } from '../../../test/support/certificates.ts';
import { parseDatabaseUrl } from './database-url.ts';

const URL = 'postgres://ada:secret-word@db.example/turnpike';
const TRUSTED = `sslrootcert=${certificateFile('trusted')}`;
const KEY = `sslkey=${certificateFile('key')}`;
const CERTIFICATE = `sslcert=${certificateFile('trusted')}`;

test('each supported parameter is accepted', () => {
  for (const query of [
    ...['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'].map((mode) => `sslmode=${mode}`),
    ...[TRUSTED, `sslmode=verify-full&${TRUSTED}`, `${CERTIFICATE}&${KEY}`, 'host=/var/run/postgresql'],
    ...['options=-c%20search_path%3Dturnpike', 'options=endpoint%3Done', 'application_name=turnpike'],
  ])
    parseDatabaseUrl(`${URL}?${query}`);
});

test('what is misspelt, unsupported or without effect is refused, with what to do', () => {
  for (const [query, message] of [
    [
      'sslmod=require',
      /^has an unknown parameter after \?, which may have sslmode, sslrootcert, .*; did you mean sslmode\?$/,
    ],
    ['SSLMODE=require', /did you mean sslmode\?$/],
    ['sslmode=required', /^has an unknown sslmode; known are disable, .*, verify-full; did you mean require\?$/],
    ['sslmode=verify_full', /did you mean verify-full\?$/],
    ['sslmode=', /^has an unknown sslmode; /],
    ['sslmode=prefer', /^has sslmode=prefer, .* write sslmode=verify-full, or sslmode=disable$/],
    ['sslmode=allow', /^has sslmode=allow, /],
    ['sslmode=require&sslmode=disable', /^has sslmode twice$/],
    ['ssl=true', /^has the parameter ssl, which has no effect here: write sslmode=verify-full/],
    ['sslmode=require&channel_binding=require', /^has the parameter channel_binding, .*: remove it$/],
    ['target_session_attrs=read-write', /one address that follows the primary$/],
    ['pgbouncer=true&connection_limit=1', /^has the parameter pgbouncer, /],
    ['schema=public', /set search_path for the role$/],
    ['password=secret-word', /^has the parameter password, .* before the host$/],
    ['toString=1', /^has an unknown parameter after /],
    ['sslrootcert=own.pem', /^names a file with sslrootcert that is not an absolute path$/],
    [
      'sslrootcert=/no/such/file',
      /^names a file with sslrootcert that cannot be used: the file cannot be read: ENOENT/,
    ],
    [`sslrootcert=${certificateFile('key')}`, /^names a file with sslrootcert that cannot be used: .* no certificate/],
    [`sslmode=disable&${TRUSTED}`, /^has sslrootcert, which has no effect with sslmode=disable; remove one of them$/],
    [`sslmode=no-verify&${TRUSTED}`, /^has sslrootcert, which has no effect with sslmode=no-verify/],
    [CERTIFICATE, /^needs sslcert and sslkey together$/],
  ] as const)
    assert.throws(() => parseDatabaseUrl(`${URL}?${query}`), { name: 'TypeError', message }, query);
});

test('several hosts are refused', () => {
  assert.throws(() => parseDatabaseUrl('postgres://ada@one,two/turnpike'), /names several hosts; give one address/);
});

test('a password with a ? in it is not repeated', () => {
  for (const url of [
    'postgres://ada:12?secret-word@db/turnpike',
    'postgres://ada@db/turnpike?secret-word',
    `${URL}?a=secret-word`,
  ])
    assert.throws(
      () => parseDatabaseUrl(url),
      ({ message }: Error) => !message.includes('secret-word'),
    );
});
