import { RATE_WORDS, WINDOW_WORDS } from '../../forms/describe.ts';

const WORDS: Readonly<Record<string, string>> = {
  disabled: 'Disabled',
  expires_at: 'Expires',
  'permissions.operations': 'Operations',
  'permissions.models_allow': 'Models',
  'permissions.models_deny': 'Blocked models',
  'permissions.ips': 'IP addresses',
  ...prefixed('limits.budgets.', WINDOW_WORDS, (words) => `Budget ${words}`),
  ...prefixed('limits.', RATE_WORDS, capitalised),
};

/** The label of a restricted field: `permissions.ips` is `IP addresses`. */
export function restrictedWords(field: string): string {
  return WORDS[field] ?? field;
}

function prefixed(prefix: string, words: Readonly<Record<string, string>>, write: (words: string) => string) {
  return Object.fromEntries(Object.entries(words).map(([name, each]) => [prefix + name, write(each)]));
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
