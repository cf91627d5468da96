/**
 * What all test files of `npm test` share (`scripts/test.mjs`): one Chromium, and the read-only servers. Prints a
 * line of JSON with the environment variables that point to them; without them a file starts its own. Runs until standard
 * input ends.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { launchOptions, SHARED_BROWSER } from './launch-options.ts';
import { type BorrowedServer, isKind, type Kind, SHARED_SERVERS, startKind } from './shared-servers.ts';

const browser = await chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' });
process.env[SHARED_BROWSER] = browser.wsEndpoint();
const started = new Map<Kind, Promise<BorrowedServer>>();

const lender = createServer(async (request, response) => {
  const kind = (request.url ?? '').slice(1);
  if (!isKind(kind)) return response.writeHead(404).end();
  const server = started.get(kind) ?? startKind(kind);
  started.set(kind, server);
  try {
    const { url, stops } = await server;
    response.end(JSON.stringify({ url, stops }));
  } catch (error) {
    response.writeHead(500).end(`the ${kind} server did not start: ${error instanceof Error ? error.stack : error}`);
  }
}).listen(0, '127.0.0.1');
await once(lender, 'listening');

const servers = `http://127.0.0.1:${(lender.address() as AddressInfo).port}`;
process.stdout.write(`${JSON.stringify({ [SHARED_BROWSER]: browser.wsEndpoint(), [SHARED_SERVERS]: servers })}\n`);

process.stdin.resume().once('end', async () => {
  lender.close();
  lender.closeAllConnections();
  const running = await Promise.allSettled(started.values());
  for (const server of running) if (server.status === 'fulfilled') await server.value.giveBack();
  await browser.close();
  // The connection by which a server was furnished is still open.
  process.exit();
});
