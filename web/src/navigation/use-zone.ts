import { useSyncExternalStore } from 'react';
import { onZoneChange, type ZoneChoice, zoneChoice } from '../format/zone.ts';

/** The time zone that is chosen: whoever shows a time below it is rendered anew when that changes. */
export function useZone(): ZoneChoice {
  return useSyncExternalStore(onZoneChange, zoneChoice);
}
