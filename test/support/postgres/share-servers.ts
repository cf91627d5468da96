/**
 * The PostgreSQL servers that all files of `npm test` share (`scripts/test.mjs`), each started when a file first asks for it. Prints a line
 * of JSON with the environment variable that leads here; without it a file starts its own. Runs until standard input ends, and the
 * servers end with this process.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { installedMajors } from './installations.ts';
import { SHARED_POSTGRES, serverUrl } from './servers.ts';

const lender = createServer(async (request, response) => {
  const major = installedMajors().find((each) => request.url === `/${each}`);
  if (major === undefined) return response.writeHead(404).end();
  try {
    response.end(await serverUrl(major));
  } catch (error) {
    response.writeHead(500).end(`PostgreSQL ${major} did not start: ${error instanceof Error ? error.stack : error}`);
  }
}).listen(0, '127.0.0.1');
await once(lender, 'listening');

const url = `http://127.0.0.1:${(lender.address() as AddressInfo).port}`;
process.stdout.write(`${JSON.stringify({ [SHARED_POSTGRES]: url })}\n`);

process.stdin.resume().once('end', () => process.exit());
