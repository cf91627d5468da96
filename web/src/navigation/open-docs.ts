import { basePath } from './base-path.ts';

/** Leaves the dashboard for the docs, which are pages of their own. */
export function openDocs(): void {
  window.location.assign(`${basePath}/docs`);
}
