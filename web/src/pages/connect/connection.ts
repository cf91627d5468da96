/** What every snippet is filled with. */
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
  return { origin: base_url.replace(/(?<!\/)\/+$/, ''), key: fresh?.secret ?? KEY_PLACEHOLDER, model };
}
