/** `turnpike version`. */
import { VERSION } from '../../../core/version.ts';
import type { Command } from '../../command.ts';

export const version: Command = {
  name: 'version',
  summary: 'Print the versions of Turnpike, Node and SQLite',
  async run(context) {
    const { node, sqlite } = process.versions;
    if (context.json) context.terminal.out(JSON.stringify({ turnpike: VERSION, node, sqlite }));
    else context.terminal.out(`turnpike ${VERSION}  Node ${node}  SQLite ${sqlite}`);
    return 0;
  },
};
