/** The routes of the management API, from its contract. */
import type { Door } from '../../src/api/contract/route.ts';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import { code, markdownTable } from './markdown-table.ts';

/** Routes of `/api/v1`, which people have, too. */
export function managementReference(): string {
  return tableOf((doors) => doors.includes('management'));
}

/** Routes for people only, below `/api/dashboard`. */
export function dashboardReference(): string {
  return tableOf((doors) => doors.includes('dashboard') && !doors.includes('management'));
}

/** Routes for commands and scripts only, below `/control/api`. */
export function controlReference(): string {
  return tableOf((doors) => doors.every((door) => door === 'control'));
}

function tableOf(isMeant: (doors: readonly Door[]) => boolean): string {
  return markdownTable(
    ['method and path', 'what', 'needs'],
    contractRoutes
      .filter(({ route }) => isMeant(route.doors))
      .map(({ route }) => [
        code(`${route.method} ${route.path.replaceAll(/:(\w+)/g, '<$1>')}`),
        [
          route.summary,
          route.also === 'text/csv' ? 'also as CSV' : '',
          route.idempotent === true ? 'takes an `Idempotency-Key`' : '',
        ]
          .filter((part) => part !== '')
          .join('; '),
        route.needs,
      ]),
  );
}
