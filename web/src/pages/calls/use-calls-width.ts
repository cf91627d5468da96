import { useMedia } from './detail/use-media.ts';

/** How much room a row has. On a phone it is two lines, and hides what has no place in them by itself. */
export type CallsWidth = 'phone' | (typeof CALLS_WIDTHS)[number];
/** Beside the navigation: below 1024 px, below 1280 px, below 1440 px, or more. */
export const CALLS_WIDTHS = ['tight', 'narrow', 'middle', 'wide'] as const;

export function useCallsWidth(): CallsWidth {
  const isPhone = useMedia('(max-width: 639px)');
  const hasRoom = [useMedia('(min-width: 1024px)'), useMedia('(min-width: 1280px)'), useMedia('(min-width: 1440px)')];
  return isPhone ? 'phone' : (CALLS_WIDTHS[hasRoom.filter(Boolean).length] ?? 'wide');
}
