/**
 * npm takes flags that stand before `--` for its own settings, and hands them on as `npm_config_<name>` in the environment:
 * of `npm start --port 9000` the program sees neither flag nor, by its name, value. Plain JavaScript for Node 18 and later.
 * https://docs.npmjs.com/cli/v11/using-npm/scripts#environment
 */

/** The flags of `serve` that take a value; `scripts/npm-flags.test.ts` compares them with the configuration's. */
export const SERVE_FLAGS = ['host', 'port', 'data', 'public-url', 'trust-proxy', 'log-level', 'log-format', 'config'];

/**
 * What to write instead where npm kept flags that were meant for the program; null where it kept none. `words` is what npm did
 * hand on. A flag that stands there too was given rightly, so that a setting of npm's of that name can be overruled.
 */
export function swallowedFlags(words, environment, { command = 'npm start', flags = SERVE_FLAGS } = {}) {
  const given = new Set(words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []));
  const kept = flags
    .map((flag) => ({ flag, value: environment[`npm_config_${flag.replaceAll('-', '_')}`] }))
    .filter(({ flag, value }) => value !== undefined && value !== '' && !given.has(flag));
  if (kept.length === 0) return null;
  // npm makes a switch of a flag without `=`, and a word of its own of what follows it.
  const values = words.filter((word) => !word.startsWith('-'));
  const bare = kept.filter(({ value }) => value === 'true');
  const valueMeant = ({ value }) =>
    value !== 'true' ? value : bare.length === 1 && values.length === 1 ? values[0] : '…';
  const names = kept.map(({ flag }) => `--${flag}`).join(' and ');
  const wanted = kept.map((each) => `--${each.flag} ${valueMeant(each)}`).join(' ');
  return (
    `npm took ${names} for a setting of its own, so it would not count here. ` +
    `Flags of Turnpike stand behind two dashes:\n  ${command} -- ${wanted}`
  );
}
