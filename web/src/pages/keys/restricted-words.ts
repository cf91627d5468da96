import { RATE_WORDS, WINDOW_WORDS } from '../../forms/describe.ts';

const WORDS: Readonly<Record<string, string>> = {
  disabled: 'Disabled',
  expires_at: 'Expires',
  'permissions.operations': 'Operations',
  'permissions.models_allow': 'Models',
  'permissions.models_deny': 'Refused',
  'permissions.ips': 'Addresses',
  ...prefixed('limits.budgets.', WINDOW_WORDS, (words) => `Budget ${words}`),
  ...prefixed('limits.', RATE_WORDS, capitalised),
};

/** A field that somebody restricted, as the page calls it elsewhere: `permissions.ips` is `Addresses`. */
export function restrictedWords(field: string): string {
  return WORDS[field] ?? field;
}

function prefixed(prefix: string, words: Readonly<Record<string, string>>, write: (words: string) => string) {
  return Object.fromEntries(Object.entries(words).map(([name, each]) => [prefix + name, write(each)]));
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
