/** Which file a configuration was read from, so that another process can check whether it reads the same one. */
import { createHash } from 'node:crypto';

export interface ConfigSource {
  /** Absolute. */
  readonly path: string;
  /** SHA-256 of what was read, in hex. */
  readonly digest: string;
}

export function configSource(path: string, text: string): ConfigSource {
  return { path, digest: createHash('sha256').update(text).digest('hex') };
}
