import { useInstallation } from '../../api/session.ts';
import type { Key } from '../../api/types.ts';
import { useFreshKey } from './fresh-key.ts';
import { type Connection, KEY_PLACEHOLDER } from './tool.ts';

/** With the key that was just made, if there is one. Of another key, `asked`, only the label is known: it stands in the place. */
export function useConnection(model: string, asked: Key | null = null): Connection {
  const { base_url } = useInstallation();
  const fresh = useFreshKey();
  const key = asked === null || asked.id === fresh?.id ? fresh?.secret : asked.label;
  return { origin: base_url.replace(/(?<!\/)\/+$/, ''), key: key ?? KEY_PLACEHOLDER, model };
}
