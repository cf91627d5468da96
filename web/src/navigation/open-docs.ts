import { basePath } from './base-path.ts';

/** Opens the docs, which are not part of the single-page app. */
export function openDocs(): void {
  window.location.assign(`${basePath}/docs`);
}
