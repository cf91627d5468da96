/** Runs a command line and returns its exit code: 0 success, 1 failure, 2 usage error. */

import { escapeUnplain } from '../accounts/plain-text.ts';
import type { LoadedConfig, MayLack } from '../config/config.ts';
import { configFlags, loadConfig, loadConfigInSteps } from '../config/load-config.ts';
import { suggestion } from '../config/nearest.ts';
import { ConfigError, isFlag } from '../config/problem.ts';
import type { Command, CommandContext, Terminal } from './command.ts';
import { AnsweredError, CommandFailed, UsageError } from './command-errors.ts';
import { serve } from './commands/machine/serve.ts';
import { type ControlClient, openControlClient } from './control-client.ts';
import type { Doors } from './doors.ts';
import { commonFlags, helpText, overviewText } from './help-text.ts';
import { programFrom } from './program.ts';
import { type CommandLine, readFlags } from './read-flags.ts';

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly doors: Doors;
}

export async function runCli(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const opened: Opened = { control: null };
  const code = await runCommand(words, surroundings, opened);
  // A control plane that could not be opened was reported, and has nothing to close.
  const control = await opened.control?.catch(() => null);
  try {
    await control?.close();
    return code;
  } catch (error) {
    return explain(error, surroundings.terminal);
  }
}

interface Opened {
  control: Promise<ControlClient> | null;
}

async function runCommand(words: readonly string[], surroundings: Surroundings, opened: Opened): Promise<number> {
  const { terminal } = surroundings;
  try {
    const commands = await commandsFor(words);
    if (words.length === 1 && (words[0] === '--help' || words[0] === '-h' || words[0] === 'help')) {
      terminal.out(overviewText(commands));
      return 0;
    }
    const { command, rest } = findCommand(
      commands,
      words[0] === '--version' ? ['version', ...words.slice(1)] : words,
      `\`${programFrom(surroundings).name} help\``,
    );
    const line = readFlags(rest, { ...command.flags, ...commonFlags });
    if (line.flags.has('help')) {
      terminal.out(helpText(command));
      return 0;
    }
    checkParameters(command, line);
    return await command.run(contextOf(command, line, surroundings, opened));
  } catch (error) {
    return explain(error, terminal);
  }
}

function contextOf(command: Command, line: CommandLine, surroundings: Surroundings, opened: Opened): CommandContext {
  const { environment, cwd, terminal, doors } = surroundings;
  const program = programFrom({ environment, cwd });
  const loaded = new Map<string, LoadedConfig>();
  const config = (mayLack?: MayLack, file?: string) => {
    const flags = { ...flagsOfConfig(line), ...(file === undefined ? {} : { config: file }) };
    const cacheKey = `${mayLack} ${file}`;
    const known =
      loaded.get(cacheKey) ?? loadConfig({ flags, environment, cwd, ...(mayLack === undefined ? {} : { mayLack }) });
    loaded.set(cacheKey, known);
    return known;
  };
  return {
    parameters: line.parameters,
    text: (flag) => {
      const value = line.flags.get(flag);
      return typeof value === 'string' ? value : null;
    },
    list: (flag) => line.lists.get(flag) ?? [],
    has: (flag) => line.flags.has(flag),
    json: line.flags.has('json'),
    terminal,
    environment,
    doors,
    cwd,
    program,
    config,
    reread: () => loadConfigInSteps({ flags: flagsOfConfig(line), environment, cwd }),
    control: ({ mayBegin } = { mayBegin: false }) => {
      opened.control ??= openControlClient(config, doors, {
        mayBegin,
        note: terminal.note,
        program,
        usesProviders: command.usesProviders === true,
      });
      return opened.control;
    },
  };
}

/** All of them; `serve` by itself, so that a server starts without the code of the others. */
async function commandsFor(words: readonly string[]): Promise<readonly Command[]> {
  if (words[0] === serve.name) return [serve];
  return (await import('./commands/index.ts')).commands;
}

function findCommand(
  commands: readonly Command[],
  words: readonly string[],
  help: string,
): { readonly command: Command; readonly rest: readonly string[] } {
  if (words.length === 0) throw new UsageError(`a command is missing\n\n${overviewText(commands)}`);
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = commands.find((candidate) => candidate.name === name);
    if (command !== undefined) return { command, rest: words.slice(length) };
  }
  const [first = '', second] = words;
  const group = commands.filter((command) => command.name.startsWith(`${first} `)).map((command) => command.name);
  const asked = second === undefined || second.startsWith('-') ? first : `${first} ${second}`;
  if (group.length > 0) {
    throw new UsageError(`unknown command ${asked}; try ${group.join(', ')}`);
  }
  const names = commands.map((command) => command.name);
  const meant = suggestion(asked, [...names, ...new Set(names.map((name) => name.split(' ')[0] ?? ''))]);
  throw new UsageError(`unknown command ${first}${meant === '' ? ';' : `${meant} Or`} see ${help} for all commands`);
}

function checkParameters(command: Command, line: CommandLine): void {
  const { min, max } = command.parameterCount ?? { min: 0, max: 0 };
  if (line.parameters.length < min)
    throw new UsageError(`${command.name} needs ${command.parameters ?? 'a parameter'}`);
  const [extra] = line.parameters.slice(Math.min(max, line.parameters.length));
  if (extra !== undefined) throw new UsageError(`${command.name} does not take "${extra}"`);
}

function flagsOfConfig(line: CommandLine): Record<string, string> {
  const flags: Record<string, string> = {};
  for (const name of configFlags) {
    const value = line.flags.get(name);
    if (typeof value === 'string') flags[name] = value;
  }
  return flags;
}

function explain(error: unknown, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.note(`turnpike: ${error.message}`);
    return 2;
  }
  if (error instanceof ConfigError) {
    for (const problem of error.problems) terminal.note(`${problem.where}: ${problem.message}`);
    return error.problems.some(({ where }) => isFlag(where)) ? 2 : 1;
  }
  if (error instanceof AnsweredError) {
    // The message may repeat a name. Everything sent came from the command line, so a refused value is a usage error.
    terminal.note(`turnpike: ${escapeUnplain(error.message)}`);
    return error.status === 400 ? 2 : 1;
  }
  if (error instanceof CommandFailed) {
    terminal.note(`turnpike: ${error.message}`);
    return 1;
  }
  const isPortTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const hint = isPortTaken ? '; choose another with --port or PORT' : '';
  terminal.note(`turnpike: ${error instanceof Error ? error.message : String(error)}${hint}`);
  return 1;
}
