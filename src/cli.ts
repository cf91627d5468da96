/** The command `turnpike`. What a command does not need is not loaded: the server's code comes with `serve`. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Doors, Terminal } from './cli/command.ts';
import { runCli } from './cli/run-cli.ts';

const doors: Doors = {
  serve: async (config, print) => (await import('./main.ts')).serve(config, print),
  openApp: async (config, { mayBegin }) => {
    const app = await (await import('./app.ts')).openApp(config);
    try {
      return { control: app.control, firstRun: mayBegin ? await app.begin() : null, close: () => app.close() };
    } catch (error) {
      await app.close();
      throw error;
    }
  },
  now: () => Date.now(),
  wait: (ms) => wait(ms),
};

/** https://no-color.org: any value but the empty one. */
const colour = process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';

const terminal: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  colour,
};

// Whoever reads our output may stop reading (`| head`); that is no failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  terminal,
  doors,
});

// A server that failed half open would keep the process; a success has closed what it opened.
if (code === 0) process.exitCode = 0;
else process.exit(code);
