/** Writes web/src/api/types.ts and dialects.ts. Run after a change to src/api/contract, or of the dialects. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { webDialects } from './build-web-types/web-dialects.ts';
import { webTypes } from './build-web-types/web-types.ts';

const folder = new URL('../web/src/api/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('types.ts', folder), webTypes());
writeFileSync(new URL('dialects.ts', folder), webDialects());
