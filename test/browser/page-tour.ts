/** Every page of the dashboard, visited one after another. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from './browser.ts';
import type { Schemes } from './schemes.ts';

export interface Stop {
  /** The name of its screenshots. */
  readonly name: string;
  readonly address: string;
  /** Opens an overlay: a dialog or a drawer; the screenshot is of the window then. */
  readonly isOver?: boolean;
}

/** The patterns of `web/src/routes.tsx`, so that no page is missed. The docs are a separate site: `docs.test.ts`. */
export function everyRoute(): readonly string[] {
  const source = readFileSync(join(import.meta.dirname, '../../web/src/routes.tsx'), 'utf8');
  return [...source.matchAll(/path: '([^']+)'/g)].map(([, path]) => path ?? '').filter((path) => path !== '/docs');
}

/** Whether an address belongs to a route. */
export function fits(route: string, address: string): boolean {
  const path = address.split(/[?#]/)[0] ?? '';
  return new RegExp(`^${route.replace(/\/:\w+\?/, '(/[^/]+)?').replace(/:\w+/g, '[^/]+')}$`).test(path);
}

/** What a colour scheme can break; everything else on a page is the same in both. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Visits each page in these colour schemes: no accessibility fault, no horizontal scrolling, no complaint. All rules of
 * accessibility in the first scheme, those for colours in each.
 */
export async function tour(person: Person, stops: readonly Stop[], prefix: string, schemes: Schemes): Promise<void> {
  const faults: string[] = [];
  const { page } = person;
  for (const { name, address, isOver } of stops) {
    await page.emulateMedia({ colorScheme: schemes[0] });
    await person.visit(address);
    if (isOver) {
      await page.getByRole('dialog').waitFor();
      await person.settled();
    }
    for (const scheme of schemes) {
      if (scheme !== schemes[0]) {
        await page.emulateMedia({ colorScheme: scheme });
        await person.settled();
      }
      const where = `${prefix} ${scheme} ${address}`;
      faults.push(
        ...(await person.barriers(scheme === schemes[0] ? null : COLOUR_RULES)).map(
          (barrier) => `${where}: ${barrier}`,
        ),
      );
      const overflow = await person.overflow();
      if (overflow > 0) faults.push(`${where}: ${overflow} px too wide`);
      faults.push(...person.complaints.splice(0).map((complaint) => `${where}: ${complaint}`));
      await person.picture(`${prefix}-${name}-${scheme}`, !isOver);
    }
  }
  assert.deepEqual(faults, []);
}
