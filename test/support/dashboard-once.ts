/** The built dashboard for the gateways of a test's process: reading it takes longer than all else that a gateway does at its start. */

import type { DashboardFiles, FilesPlace } from '../../src/api/public/dashboard-files.ts';
import { readDashboard } from '../../src/app/open-server.ts';

const read = new Map<string, DashboardFiles>();

/** The files as served at this place; they do not change while tests run. */
export function dashboardOnce(place: FilesPlace): DashboardFiles {
  const key = JSON.stringify(place);
  const files = read.get(key) ?? readDashboard(place);
  read.set(key, files);
  return files;
}
