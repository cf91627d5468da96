/** `Firefox on Linux`: enough to recognise a session. The full user agent is in the title. */
export function describeBrowser(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'unknown browser';
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser === undefined) return userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** In this order: most browsers also name the ones they descend from. */
const BROWSERS: readonly (readonly [mark: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const SYSTEMS: readonly (readonly [mark: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];
