import { useSyncExternalStore } from 'react';
import { onZoneChange, type ZoneChoice, zoneChoice } from '../format/zone.ts';

/** The chosen time zone: components that show a time re-render when it changes. */
export function useZone(): ZoneChoice {
  return useSyncExternalStore(onZoneChange, zoneChoice);
}
