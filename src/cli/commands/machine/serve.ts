/** `turnpike serve`: the server itself. */
import { configFlags } from '../../../config/load-config.ts';
import type { Command, Flags } from '../../command.ts';
import { endWithLauncher } from '../../launcher.ts';

/** Every option that has a flag. All commands have `data` and `config`. */
export const configurationFlags: Flags = Object.fromEntries(
  configFlags
    .filter((name) => name !== 'data' && name !== 'config')
    .map((name) => [name, { type: 'string', value: '<value>', description: 'See `turnpike config check`' } as const]),
);

export const serve: Command = {
  name: 'serve',
  summary: 'Run the server until SIGTERM or SIGINT; running calls finish first',
  flags: configurationFlags,
  run(context) {
    endWithLauncher(context.environment);
    const { config, source, warnings } = context.config();
    for (const { where, message } of warnings) context.terminal.note(`warning: ${where}: ${message}`);
    return context.doors.serve(config, source, context.reread);
  },
};
