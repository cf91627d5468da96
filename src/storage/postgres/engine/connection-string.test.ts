/**
 * Goal: each `sslmode` does what the documents say: whether the connection has TLS, and whether the server's certificate and name are
 * checked. Method: a real server with a certificate that no list of the machine has.
 */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type CertificateName, certificateFile } from '../../../../test/support/certificates.ts';
import { execute } from '../../../../test/support/postgres/database.ts';
import { installedMajors } from '../../../../test/support/postgres/installations.ts';
import { type PostgresServer, startServer } from '../../../../test/support/postgres/start-server.ts';
import { parseDatabaseUrl } from '../../../config/database/database-url.ts';
import { openConnections } from './connections.ts';
import { explainConnection } from './explain-connection.ts';

const NOBODY = 65_534;
const ASKED_MAX = 200;
const TRUSTED = `sslrootcert=${certificateFile('trusted')}`;

/** Each as a URL's parameters, and what comes of a server with the certificate `trusted`: whether there is TLS, or why there is no connection. */
const CASES: readonly (readonly [parameters: string, expected: boolean | RegExp])[] = [
  ['', false],
  ['sslmode=disable', false],
  ['sslmode=no-verify', true],
  ...['sslmode=verify-full', 'sslmode=verify-ca', 'sslmode=require'].flatMap(
    (mode) =>
      [
        [mode, /^The certificate of PostgreSQL at .* is not trusted .* add sslrootcert=.* to database\.url/],
        [`${mode}&${TRUSTED}`, true],
      ] as const,
  ),
  [TRUSTED, true],
  [`sslrootcert=${certificateFile('unknown')}`, /is not trusted/],
];

for (const major of installedMajors().slice(0, 1))
  describe(`with TLS at PostgreSQL ${major}`, () => {
    let server: PostgresServer;
    before(async () => {
      server = await startServer(major);
    });
    after(() => server.stop());

    const present = async (name: CertificateName) => {
      const paths = [name, 'key' as const].map((file) => {
        const path = join(server.folder, `${file}.pem`);
        copyFileSync(certificateFile(file), path);
        chmodSync(path, 0o600);
        if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
        return path;
      });
      const settings = { ssl_cert_file: paths[0], ssl_key_file: paths[1], ssl: 'on' };
      for (const [setting, value] of Object.entries(settings))
        await execute(server.url, `alter system set ${setting} = '${value}'`);
      await execute(server.url, 'select pg_reload_conf()');
      // Only a connection that is opened after the server has read them has them.
      const isRead = `select 1 / (current_setting('ssl_cert_file') = '${paths[0]}')::int from pg_sleep(0.05)`;
      for (let asked = 1; !(await succeeds(server.url, isRead)); asked += 1) assert.ok(asked < ASKED_MAX);
    };

    const connect = async (parameters: string): Promise<boolean | string> => {
      const url = parameters === '' ? server.url : `${server.url}?${parameters}`;
      parseDatabaseUrl(url);
      const connections = await openConnections({ url, readUrl: null, connections: 1 });
      try {
        const { rows } = await connections.query<{ ssl: boolean }>(
          'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
        );
        return rows[0]?.ssl ?? false;
      } catch (error) {
        return explainConnection(error, url).message;
      } finally {
        await connections.close();
      }
    };

    test('each mode checks what it says', async () => {
      await present('trusted');
      for (const [parameters, expected] of CASES) {
        const found = await connect(parameters);
        if (typeof expected === 'boolean') assert.equal(found, expected, parameters);
        else assert.match(String(found), expected, parameters);
      }
    });

    test('the name in the certificate has to be that of the host', async () => {
      await present('elsewhere');
      const own = `sslrootcert=${certificateFile('elsewhere')}`;
      for (const mode of ['verify-full', 'verify-ca', 'require'])
        assert.match(String(await connect(`sslmode=${mode}&${own}`)), /is not trusted .*the name of the host/);
      assert.equal(await connect('sslmode=no-verify'), true);
    });
  });

function succeeds(url: string, statement: string): Promise<boolean> {
  return execute(url, statement).then(
    () => true,
    () => false,
  );
}
