/** Writes docs/reference/errors.md from the table of codes. Run after a change to src/core/errors.ts. */
import { writeFileSync } from 'node:fs';
import { errorReference } from '../src/api/public/error-reference.ts';

writeFileSync(new URL('../docs/reference/errors.md', import.meta.url), errorReference());
