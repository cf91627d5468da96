/**
 * npm takes flags before `--` as its own settings, and passes them on as `npm_config_<name>` in the environment:
 * with `npm start --port 9000` the program sees neither flag nor, by its name, value. Plain JavaScript for Node 18 and later.
 * https://docs.npmjs.com/cli/v11/using-npm/scripts#environment
 */

/** The flags of `serve` that take a value; `scripts/npm-flags.test.ts` compares them with the configuration's. */
export const SERVE_FLAGS = ['host', 'port', 'data', 'public-url', 'trust-proxy', 'log-level', 'log-format', 'config'];

/**
 * What to type instead if npm kept flags that were meant for the program; null if it kept none. `words` is what npm did
 * pass on. A flag that is also there was given correctly, so that an npm setting of that name can be overruled.
 */
export function swallowedFlags(words, environment, { command = 'npm start', flags = SERVE_FLAGS } = {}) {
  const given = new Set(words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []));
  const kept = flags
    .map((flag) => ({ flag, value: environment[`npm_config_${flag.replaceAll('-', '_')}`] }))
    .filter(({ flag, value }) => value !== undefined && value !== '' && !given.has(flag));
  if (kept.length === 0) return null;
  // npm turns a flag without `=` into a switch, and what follows it into a separate argument.
  const values = words.filter((word) => !word.startsWith('-'));
  const bare = kept.filter(({ value }) => value === 'true');
  const valueMeant = ({ value }) =>
    value !== 'true' ? value : bare.length === 1 && values.length === 1 ? values[0] : '…';
  const names = kept.map(({ flag }) => `--${flag}`).join(' and ');
  const wanted = kept.map((each) => `--${each.flag} ${valueMeant(each)}`).join(' ');
  return (
    `npm took ${names} for a setting of its own, so it would not count here. ` +
    `Put flags of Turnpike after two dashes:\n  ${command} -- ${wanted}`
  );
}
