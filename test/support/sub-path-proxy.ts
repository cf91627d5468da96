/**
 * An https host shared with other programs: it passes requests below one path on, and answers all others itself. Its
 * certificate is `trusted` (`certificates.ts`).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from './certificates.ts';

export interface SharedHost {
  /** Its port on loopback. */
  readonly port: number;
  /** `/llm`. */
  readonly basePath: string;
  /** The address of the server behind the proxy: `http://127.0.0.1:<port>`. */
  readonly upstream: string;
  /** Whether requests keep the path when they are passed on. */
  readonly keepsPath: boolean;
}

export interface RunningProxy {
  close(): Promise<void>;
}

export const NEIGHBOUR = 'a neighbour of Turnpike';
export const NGINX = '/usr/sbin/nginx';
export const hasNginx = existsSync(NGINX);

/** The least that a proxy does. */
export async function startPlainProxy({ port, basePath, upstream, keepsPath }: SharedHost): Promise<RunningProxy> {
  const server = createServer(certificate('trusted'), (request, response) => {
    const path = request.url ?? '';
    if (path !== basePath && !path.startsWith(`${basePath}/`)) return void response.writeHead(404).end(NEIGHBOUR);
    const passed = keepsPath ? path : path.slice(basePath.length) || '/';
    const onward = send(`${upstream}${passed}`, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** As in `docs/how-to/deploy-behind-nginx.md`. */
export async function startNginx(host: SharedHost): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-nginx-'));
  const { key, cert } = certificate('trusted');
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'nginx.conf'), nginxConfiguration(host));
  const nginx = spawn(NGINX, ['-p', folder, '-c', 'nginx.conf'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  nginx.stderr.on('data', (bytes: Buffer) => (said += bytes));
  const close = async () => {
    await ended(nginx);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listens(host.port, () => nginx.exitCode === null);
  } catch (error) {
    await close();
    throw new Error(`nginx did not come up: ${said}`, { cause: error });
  }
  return { close };
}

function nginxConfiguration({ port, basePath, upstream, keepsPath }: SharedHost): string {
  return `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  scgi_temp_path scgi;
  uwsgi_temp_path uwsgi;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate cert.pem;
    ssl_certificate_key key.pem;
    location ${basePath}/ {
      proxy_pass ${upstream}${keepsPath ? '' : '/'};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_buffering off;
      proxy_request_buffering off;
    }
    location / { return 404 "${NEIGHBOUR}"; }
  }
}
`;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Resolves when something listens; a refused connection returns immediately, so each try is one turn. */
async function listens(port: number, isAlive: () => boolean): Promise<void> {
  for (let tries = 0; tries < 20_000 && isAlive(); tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error('nobody listens');
}
