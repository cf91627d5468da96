/** `turnpike config check`: what is in effect, and where each value came from. */
import { configJsonSchema } from '../config.ts';
import type { Command } from './command.ts';
import { printTable } from './output.ts';
import { configurationFlags } from './serve.ts';

export const checkConfig: Command = {
  name: 'config check',
  summary: 'Check the configuration and print every effective value with its source; secrets are masked',
  flags: {
    ...configurationFlags,
    schema: { type: 'boolean', description: 'Print the JSON Schema of turnpike.yaml instead' },
  },
  async run(context) {
    if (context.has('schema')) {
      context.terminal.out(JSON.stringify(configJsonSchema(), null, 2));
      return 0;
    }
    const { origins, file } = context.config();
    if (context.json) {
      context.terminal.out(
        JSON.stringify({ file, data: [...origins].map(([option, origin]) => ({ option, ...origin })) }),
      );
      return 0;
    }
    printTable(
      context,
      ['OPTION', 'VALUE', 'SOURCE'],
      [...origins].map(([option, origin]) => [option, origin.value, origin.source]),
    );
    context.terminal.note(file === null ? 'No configuration file.' : `Configuration file: ${file}`);
    return 0;
  },
};
