/** What `--help` prints, and the flags that all commands have. */
import type { Command, Flags } from './command.ts';

/** The flags of every command. */
export const commonFlags: Flags = {
  data: { type: 'string', value: '<folder>', description: 'Data folder; default: $TURNPIKE_DATA or ./data' },
  config: {
    type: 'string',
    value: '<file>',
    description: 'Configuration file; default: $TURNPIKE_CONFIG, ./turnpike.yaml or /etc/turnpike/turnpike.yaml',
  },
  json: { type: 'boolean', description: 'Print JSON' },
  help: { type: 'boolean', description: 'Print this help' },
};

export function overviewText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => usage(command).length));
  return [
    'Usage: turnpike <command> [flags]',
    '',
    ...commands.map((command) => `  ${usage(command).padEnd(width)}  ${command.summary}`),
    '',
    'Flags of every command: --data <folder>, --config <file>, --json, --help.',
    'Exit codes: 0 success, 1 failure, 2 usage error. Errors are plain text on standard error, also with --json.',
  ].join('\n');
}

export function helpText(command: Command): string {
  const flags = Object.entries({ ...command.flags, ...commonFlags });
  const left = flags.map(([name, flag]) => `--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`);
  const width = Math.max(...left.map((text) => text.length));
  return [
    `Usage: turnpike ${usage(command)} [flags]`,
    '',
    `${command.summary}.`,
    '',
    ...flags.map(([, flag], index) => `  ${(left[index] ?? '').padEnd(width)}  ${flag.description}`),
    ...wordLines(command.words ?? []),
  ].join('\n');
}

function wordLines(words: NonNullable<Command['words']>): readonly string[] {
  if (words.length === 0) return [];
  const width = Math.max(...words.map(([word]) => word.length));
  return ['', 'What the words mean:', '', ...words.map(([word, meaning]) => `  ${word.padEnd(width)}  ${meaning}`)];
}

function usage(command: Command): string {
  return command.parameters === undefined ? command.name : `${command.name} ${command.parameters}`;
}
