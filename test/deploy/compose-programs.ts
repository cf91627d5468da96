/** What stands for the images of `deploy/compose.yaml` on this machine: PostgreSQL, Redis or Valkey, nginx, and this checkout. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installedMajors, programsOf } from '../support/postgres/installations.ts';
import type { ComposeAround, ServiceStart, StartedProgram } from './run-compose.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** PostgreSQL does not run as root. */
const NOBODY = 65_534;

interface Found {
  readonly server: string | null;
  readonly libraries: readonly string[];
  readonly problem: string | null;
}

type Programs = Pick<ComposeAround, 'programs' | 'tools'>;

/** Throws with what to install if one is missing. */
export async function composePrograms(scratch: string): Promise<Programs> {
  const redis = await found('redis.mjs', 'prepareRedis');
  const nginx = await found('nginx.mjs', 'prepareNginx');
  const redisFolder = resolve(redis.server, '..');
  return {
    programs: {
      postgres: (start) => postgres(start, scratch),
      'valkey/valkey': ({ command, environment }) => ({
        file: redis.server,
        parameters: command.slice(1),
        cwd: scratch,
        environment: { ...environment, LD_LIBRARY_PATH: redis.libraries.join(':') },
      }),
      nginx: (start) => nginxProgram(start, nginx, scratch),
      turnpike: ({ environment }) => ({
        file: process.execPath,
        parameters: ['src/cli.ts', 'serve'],
        cwd: ROOT,
        environment,
      }),
    },
    tools: {
      'node_modules/.bin/node': { file: process.execPath, environment: {} },
      'valkey-cli': {
        file: firstOf([join(redisFolder, 'valkey-cli'), join(redisFolder, 'redis-cli')]),
        environment: { LD_LIBRARY_PATH: redis.libraries.join(':') },
      },
    },
  };
}

async function found(script: string, prepare: string): Promise<Found & { readonly server: string }> {
  const module = (await import(pathToFileURL(join(ROOT, 'scripts', script)).href)) as Record<string, () => Found>;
  const program = module[prepare]?.();
  if (program?.server == null) throw new Error(program?.problem ?? `${script} finds nothing`);
  return { ...program, server: program.server };
}

/** As its image's entry point: makes the data with the user, the password and the database of its environment. */
function postgres({ address, environment }: ServiceStart, scratch: string): StartedProgram {
  const [major] = installedMajors();
  if (major === undefined) throw new Error('there is no PostgreSQL');
  const programs = programsOf(major);
  const folder = join(scratch, 'postgres-data');
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (!existsSync(data)) {
    mkdirSync(folder, { recursive: true });
    const password = join(folder, 'password');
    writeFileSync(password, environment['POSTGRES_PASSWORD'] ?? '');
    if (user.uid !== undefined) {
      for (const path of [folder, password]) chownSync(path, NOBODY, NOBODY);
      // The way to its own folder, and nothing else of it.
      chmodSync(scratch, 0o711);
    }
    const name = environment['POSTGRES_USER'] ?? 'postgres';
    const how = ['-A', 'scram-sha-256', `--pwfile=${password}`, '--no-sync', '-E', 'UTF8', '--locale=C'];
    execFileSync(join(programs, 'initdb'), ['-D', data, '-U', name, ...how], { ...user, cwd: folder, stdio: 'ignore' });
    execFileSync(join(programs, 'postgres'), ['--single', '-D', data, 'postgres'], {
      ...user,
      cwd: folder,
      input: `CREATE DATABASE ${environment['POSTGRES_DB'] ?? name};\n`,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    appendFileSync(join(data, 'pg_hba.conf'), 'host all all 127.0.0.0/8 scram-sha-256\n');
  }
  const settings = [`listen_addresses=${address}`, 'port=5432', 'unix_socket_directories=', 'fsync=off', 'jit=off'];
  return {
    file: join(programs, 'postgres'),
    parameters: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    cwd: folder,
    environment: {},
    ...(user.uid === undefined ? {} : { uid: NOBODY }),
  };
}

/** With its temporary files below the scratch folder, and in the foreground, as its image runs it. */
function nginxProgram(
  { mounts }: ServiceStart,
  nginx: Found & { readonly server: string },
  scratch: string,
): StartedProgram {
  const file = mounts.get('/etc/nginx/nginx.conf') ?? '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${join(scratch, `nginx-${name}`)};`)
    .join('\n');
  const configuration = readFileSync(file, 'utf8').replace('http {', `http {\n${temporary}`);
  writeFileSync(file, `pid ${join(scratch, 'nginx.pid')};\n${configuration}`);
  return {
    file: nginx.server,
    parameters: ['-c', file, '-p', scratch, '-e', join(scratch, 'nginx.log'), '-g', 'daemon off;'],
    cwd: scratch,
    environment: { LD_LIBRARY_PATH: nginx.libraries.join(':') },
  };
}

function firstOf(paths: readonly string[]): string {
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? '';
}
