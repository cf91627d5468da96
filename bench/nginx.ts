/**
 * The yardstick: Debian's nginx as a reverse proxy that checks one key. Set up to its advantage:
 * one worker, keep-alive on both sides, no access log, answers passed on unbuffered.
 */
import { spawnSync } from 'node:child_process';
import { ensureProgram } from './debian-package.ts';

export interface NginxOptions {
  readonly port: number;
  readonly key: string;
  readonly backendPort: number;
}

/** Two for each of 10,000 streams, and the sixteenth that nginx wants free before it closes idle ones. */
const WORKER_CONNECTIONS = 24_000;

/** https://nginx.org/en/docs/http/ngx_http_proxy_module.html */
export function nginxConfiguration(options: NginxOptions): string {
  return `
daemon off;
user root;
worker_processes 1;
pid nginx.pid;
error_log stderr warn;
events { worker_connections ${WORKER_CONNECTIONS}; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  scgi_temp_path scgi;
  uwsgi_temp_path uwsgi;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  map_hash_bucket_size 256;
  map $http_authorization $known { default 0; "Bearer ${options.key}" 1; }
  upstream backend {
    server 127.0.0.1:${options.backendPort};
    keepalive 256;
    keepalive_requests 1000000000;
    keepalive_timeout 600s;
  }
  server {
    listen 127.0.0.1:${options.port} backlog=4096;
    client_max_body_size 32m;
    location = /health/live { return 200; }
    location / {
      if ($known = 0) { return 401; }
      proxy_pass http://backend;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 600s;
    }
  }
}
`;
}

/** Installs Debian's package if the program is missing; needs root and says so. */
export function ensureNginx(): void {
  if (ensureProgram('nginx', 'nginx-light')) return;
  throw new Error('nginx could not be installed: run as root once, or leave it out with --subjects bare,turnpike');
}

/** `1.22.1`, or null if nginx is not installed. */
export function nginxVersion(): string | null {
  const { stderr, error } = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  if (error !== undefined) return null;
  return stderr.match(/nginx\/(\S+)/)?.[1] ?? null;
}
