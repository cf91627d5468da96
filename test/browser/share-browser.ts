/**
 * One Chromium for all test files of `npm test` (`scripts/test.mjs`), which puts the printed address into their environment;
 * without it a file starts one by itself. It runs until standard input ends.
 */
import { chromium } from 'playwright-core';
import { launchOptions } from './launch-options.ts';

const server = await chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' });
process.stdout.write(`${server.wsEndpoint()}\n`);
process.stdin.resume().once('end', () => server.close());
