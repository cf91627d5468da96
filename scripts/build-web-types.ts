/** Writes web/src/api/types.ts from the contract of the management API. Run after a change to src/api/contract. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { webTypes } from './build-web-types/web-types.ts';

const address = new URL('../web/src/api/types.ts', import.meta.url);
mkdirSync(new URL('.', address), { recursive: true });
writeFileSync(address, webTypes());
