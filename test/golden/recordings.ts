/** The folder of recorded exchanges with providers, which is no part of the project. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const recordings =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../shared/data/recorded', import.meta.url));

/** Why a test that needs them is skipped; false if they are there. */
export const skip = existsSync(recordings) ? false : `no recordings at ${recordings}; set TURNPIKE_RECORDINGS`;
