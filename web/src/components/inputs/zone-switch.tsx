import type { ReactElement } from 'react';
import { chooseZone, LOCAL_ZONE } from '../../format/zone.ts';
import { useZone } from '../../navigation/use-zone.ts';
import { classNames } from '../class-names.ts';

/** Shows and changes the time zone of times and of day boundaries. */
export function ZoneSwitch(): ReactElement {
  const zone = useZone();
  if (LOCAL_ZONE === 'UTC' || LOCAL_ZONE === 'Etc/UTC')
    return (
      <span className="text-sm text-muted" title="Your browser’s time zone">
        UTC
      </span>
    );
  return (
    <fieldset className="inline-flex rounded border bg-surface p-0.5" aria-label="Time zone">
      {(['local', 'utc'] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={zone === each}
          title={each === 'local' ? `${LOCAL_ZONE}, your browser’s time zone` : 'Coordinated Universal Time'}
          onClick={() => chooseZone(each)}
          className={classNames(
            'h-7 max-w-40 truncate rounded-sm px-2.5 text-sm',
            zone === each ? 'bg-sunken font-medium text-text' : 'text-muted hover:text-text',
          )}
        >
          {each === 'local' ? cityOf(LOCAL_ZONE) : 'UTC'}
        </button>
      ))}
    </fieldset>
  );
}

/** `America/New_York` as `New York`. */
function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
