/** Which file a configuration was read from, so that another process can check whether it reads the same one. */
import { createHash } from 'node:crypto';
import type { Steps } from '../core/turns/steps.ts';

export interface ConfigSource {
  /** Absolute. */
  readonly path: string;
  /** SHA-256 of what was read, in hex. */
  readonly digest: string;
}

/** About a millisecond. */
const STEP_BYTES = 512 * 1024;

export function* configSource(path: string, bytes: Buffer): Steps<ConfigSource> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    hash.update(bytes.subarray(at, at + STEP_BYTES));
    yield;
  }
  return { path, digest: hash.digest('hex') };
}
