/** The command `turnpike`. Commands load only the code that they need: the server's code is loaded by `serve`. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Terminal } from './cli/command.ts';
import type { Doors } from './cli/doors.ts';
import { runCli } from './cli/run-cli.ts';

let isServing = false;

const doors: Doors = {
  serve: async (config, source, reread) => {
    isServing = true;
    return (await import('./app/serve.ts')).serve(config, printed, terminal.note, source, reread);
  },
  openApp: async (config, options) => (await import('./app/open-for-command.ts')).openForCommand(config, options),
  now: () => Date.now(),
  wait: (ms) => wait(ms),
};

/** https://no-color.org: any value except the empty one. */
const colour = process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';

const terminal: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  colour,
  ...(process.stdin.isTTY === true && process.stdout.isTTY === true ? { ask } : {}),
};

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await reader.question(question);
  } finally {
    reader.close();
  }
}

/** Resolves once it is written to standard output; rejects if that fails. */
function printed(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

// The reader of our output may stop reading (`| head`), which is not a failure of the command. A server does not depend on it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isServing) return;
  if (error.code === 'EPIPE') process.exit(0);
  terminal.note(`turnpike: the result could not be written: ${error.message}; what the command did stands`);
  process.exit(1);
});

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  terminal,
  doors,
});

// A server that failed while opening would keep the process alive; a successful command has closed everything.
if (code === 0) process.exitCode = 0;
else process.exit(code);
