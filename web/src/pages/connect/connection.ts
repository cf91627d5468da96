/** What every snippet is filled with, and how texts are written in other languages. */
import { useInstallation } from '../../api/session.ts';
import { useFreshKey } from './fresh-key.ts';

export interface Connection {
  /** `https://models.example.com`, without a slash at its end. */
  readonly origin: string;
  readonly key: string;
  readonly model: string;
}

export const KEY_PLACEHOLDER = 'sk-tp-…';
export const MODEL_FALLBACK = 'demo/echo';

/** With the key that was just made, if there is one. */
export function useConnection(model: string): Connection {
  const { base_url } = useInstallation();
  const fresh = useFreshKey();
  return { origin: base_url.replace(/\/+$/, ''), key: fresh?.secret ?? KEY_PLACEHOLDER, model };
}

/** Whether only this machine reaches an address. */
export function isLocal(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '[::1]';
}

/** In single quotes, for a shell. */
export function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text of a shell that needs no quotes where it is plain. */
export function word(text: string): string {
  return /^[\w@%+=:,./…-]+$/.test(text) ? text : shell(text);
}

/** In double quotes, for Python, YAML and TOML. */
export function double(text: string): string {
  return JSON.stringify(text);
}

/** In single quotes, for JavaScript. */
export function single(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
