/** Every command of `turnpike` with its own flags. */
import type { Command, Flags } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { configurationFlags } from '../../src/cli/commands/machine/serve.ts';
import { commonFlags } from '../../src/cli/help-text.ts';
import { code, codeList, markdownTable } from './markdown-table.ts';

export function commandsReference(): string {
  return [
    markdownTable(
      ['command', 'what it does'],
      commands.map((command) => [code(usage(command)), command.summary]),
    ),
    `Every command takes:\n\n${flagTable(commonFlags)}`,
    ...commands.filter(({ flags, words }) => flags !== undefined || words !== undefined).map(ofCommand),
  ].join('\n\n');
}

function usage(command: Command): string {
  return command.parameters === undefined ? command.name : `${command.name} ${command.parameters}`;
}

function ofCommand(command: Command): string {
  const own = Object.entries(command.flags ?? {}).filter(([name]) => !Object.hasOwn(configurationFlags, name));
  const takesOptions = Object.keys(configurationFlags).every((name) => Object.hasOwn(command.flags ?? {}, name));
  const options = `The flags of the [options](config.md#every-option): ${codeList(
    Object.keys(configurationFlags).map((name) => `--${name}`),
  )}.`;
  return [
    `### ${usage(command)}`,
    ...(own.length > 0 ? [flagTable(Object.fromEntries(own))] : []),
    ...(takesOptions ? [options] : []),
    ...(command.words === undefined ? [] : [markdownTable(['word', 'what it means'], command.words.map(cells))]),
  ].join('\n\n');
}

function cells([word, meaning]: readonly [string, string]): readonly string[] {
  return [word, meaning];
}

function flagTable(flags: Flags): string {
  return markdownTable(
    ['flag', 'what it does'],
    Object.entries(flags).map(([name, flag]) => [
      code(flag.value === undefined ? `--${name}` : `--${name} ${flag.value}`),
      flag.description,
    ]),
  );
}
