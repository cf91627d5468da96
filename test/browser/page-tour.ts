/** Every page of the dashboard, as somebody walks through all of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from './browser.ts';

export interface Stop {
  /** Of its pictures. */
  readonly name: string;
  readonly address: string;
  /** What opens over the page: a dialog, a drawer; the picture is of the window then. */
  readonly isOver?: boolean;
}

/** The patterns of `web/src/routes.tsx`, so that no page is left out. The docs are a site of their own: `docs.test.ts`. */
export function everyRoute(): readonly string[] {
  const source = readFileSync(join(import.meta.dirname, '../../web/src/routes.tsx'), 'utf8');
  return [...source.matchAll(/path: '([^']+)'/g)].map(([, path]) => path ?? '').filter((path) => path !== '/docs');
}

/** Whether an address is one of a route. */
export function fits(route: string, address: string): boolean {
  const path = address.split(/[?#]/)[0] ?? '';
  return new RegExp(`^${route.replace(/\/:\w+\?/, '(/[^/]+)?').replace(/:\w+/g, '[^/]+')}$`).test(path);
}

/** What a scheme of colours can break; all else of a page is the same in both. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Goes to each, in light and in dark: nothing that keeps anybody out, nothing that scrolls sideways, no complaint. */
export async function tour(person: Person, stops: readonly Stop[], prefix: string): Promise<void> {
  const faults: string[] = [];
  const { page } = person;
  for (const { name, address, isOver } of stops) {
    await page.emulateMedia({ colorScheme: 'light' });
    await person.visit(address);
    if (isOver) await page.getByRole('dialog').waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await person.settled();
      const where = `${prefix} ${scheme} ${address}`;
      faults.push(
        ...(await person.barriers(scheme === 'light' ? null : COLOUR_RULES)).map((barrier) => `${where}: ${barrier}`),
      );
      const overflow = await person.overflow();
      if (overflow > 0) faults.push(`${where}: ${overflow} px too wide`);
      faults.push(...person.complaints.splice(0).map((complaint) => `${where}: ${complaint}`));
      await person.picture(`${prefix}-${name}-${scheme}`, !isOver);
    }
  }
  assert.deepEqual(faults, []);
}
