/** How the tests start Chromium. */
import sparticuz from '@sparticuz/chromium';
import type { LaunchOptions } from 'playwright-core';

/** The environment variable with the address of a running browser (`share-browser.ts`). */
export const SHARED_BROWSER = 'TURNPIKE_TEST_BROWSER';

/**
 * Not the package's defaults: a single-process browser ends with the first page that closes, and one that ignores
 * origins is one that nobody uses.
 */
const REFUSED_ARGUMENTS = [
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--in-process-gpu',
  '--ignore-gpu-blocklist',
];

export async function launchOptions(): Promise<LaunchOptions> {
  return {
    executablePath: await sparticuz.executablePath(),
    args: [...sparticuz.args.filter((argument) => !REFUSED_ARGUMENTS.includes(argument)), '--disable-gpu'],
    headless: true,
  };
}
