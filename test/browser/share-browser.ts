/**
 * Global setup of `npm test`: one Chromium for all test files, each of which would take a second of a processor to start its
 * own. Its address is in the environment, which the files' processes inherit; without it a file starts one by itself.
 */
import { type BrowserServer, chromium } from 'playwright-core';
import { launchOptions, SHARED_BROWSER } from './launch-options.ts';

let server: BrowserServer | null = null;

export async function globalSetup(): Promise<void> {
  server = await chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' });
  process.env[SHARED_BROWSER] = server.wsEndpoint();
}

export async function globalTeardown(): Promise<void> {
  await server?.close();
}
