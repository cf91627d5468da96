/** `turnpike byok list` and `test`. */
import type { Command } from '../../command.ts';
import { paint, printTable, readJson, shortTime, shownText } from '../../output.ts';
import { accountOf } from '../accounts/find-account.ts';
import { type ConnectionRow, connectionText } from '../providers/provider-row.ts';
import {
  accountFlag,
  credentialPath,
  type FoundCredential,
  findOwnCredential,
  type OwnCredentialRow,
  ownCredentialRow,
  readOwnCredentials,
} from './find-own-credential.ts';

export const listOwnCredentials: Command = {
  name: 'byok list',
  summary: 'List the own credentials of an account and its projects, in the order in which they are used',
  flags: accountFlag,
  async run(context) {
    const account = await accountOf(context);
    const rows = await readOwnCredentials(context, account);
    if (context.json) {
      const data = rows.map(ownCredentialRow);
      context.terminal.out(JSON.stringify({ data, total_count: data.length }));
    } else
      printTable(
        context,
        ['ID', 'NAME', 'PROVIDER', 'SECRET', 'PROJECT', 'MODELS', 'USE', 'STATE'],
        rows.map((row) => [
          row.id,
          row.name,
          row.provider,
          row.label,
          row.project?.name ?? 'all',
          row.allowed_models?.join(', ') ?? 'all',
          row.fallback ? `${row.use}, then the operator's` : row.use,
          stateText(row),
        ]),
      );
    return 0;
  },
};

export const testOwnCredentials: Command = {
  name: 'byok test',
  summary: 'Test own credentials by listing models, at no cost; default: all of the account',
  parameters: '[id|name …]',
  parameterCount: { min: 0, max: Number.POSITIVE_INFINITY },
  flags: accountFlag,
  async run(context) {
    const control = await context.control();
    const results: (Omit<ConnectionRow, 'credentials'> & { readonly id: string; readonly name: string })[] = [];
    for (const found of await chosen()) {
      const { data } = readJson<{ data: ConnectionRow }>(await control.call('POST', credentialPath(found, '/test')));
      const { ok, status, models, duration_ms, problem } = data;
      results.push({ id: found.row.id, name: found.row.name, ok, status, models, duration_ms, problem });
    }
    if (context.json) context.terminal.out(JSON.stringify({ data: results }));
    else
      for (const result of results)
        context.terminal.out(
          `${result.ok ? paint(context, 'green', 'ok    ') : paint(context, 'red', 'failed')}  ${shownText(result.name)}: ${connectionText(result)}`,
        );
    return results.every(({ ok }) => ok) ? 0 : 1;

    async function chosen(): Promise<readonly FoundCredential[]> {
      if (context.parameters.length > 0)
        return Promise.all(context.parameters.map((wanted) => findOwnCredential(context, wanted)));
      const account = await accountOf(context);
      const rows = await readOwnCredentials(context, account);
      return rows.filter(({ problem }) => problem === null).map((row) => ({ account, row }));
    }
  },
};

function stateText({ disabled, problem, standing, previous_until: until }: OwnCredentialRow): string {
  if (problem !== null) return problem;
  const overlap = until === null ? '' : `, old secret until ${shortTime(until)}`;
  return `${disabled ? 'disabled' : standing}${overlap}`;
}
