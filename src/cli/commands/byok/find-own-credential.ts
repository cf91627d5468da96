/** An own credential in answers of the management API, and how commands name one. */
import type { CommandContext, Flags } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { readJson } from '../../output.ts';
import { accountOf, type Named } from '../accounts/find-account.ts';

export const BYOK_PATH = '/control/api/byok';
export const CREDENTIAL_REFERENCE = { parameters: '<id|name>', parameterCount: { min: 1, max: 1 } } as const;

export const accountFlag: Flags = {
  account: { type: 'string', value: '<name|id>', description: 'Account of the credential; default: the oldest' },
};

export interface OwnCredentialRow {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly label: string;
  readonly disabled: boolean;
  readonly standing: string;
  readonly standing_at: string | null;
  readonly problem: string | null;
  readonly use: string;
  readonly fallback: boolean;
  readonly allowed_models: readonly string[] | null;
  readonly base_url: string | null;
  readonly project: Named | null;
  readonly previous_until: string | null;
  readonly created_at: string;
}

/** As `--json` prints it. */
export function ownCredentialRow(row: OwnCredentialRow): OwnCredentialRow {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    label: row.label,
    disabled: row.disabled,
    standing: row.standing,
    standing_at: row.standing_at,
    problem: row.problem,
    use: row.use,
    fallback: row.fallback,
    allowed_models: row.allowed_models,
    base_url: row.base_url,
    project: row.project,
    previous_until: row.previous_until,
    created_at: row.created_at,
  };
}

export interface FoundCredential {
  readonly account: Named;
  readonly row: OwnCredentialRow;
}

const PAGE = 100;

/** All of an account, in order of use. The limit of an account is one page. */
export async function readOwnCredentials(
  context: CommandContext,
  account: Named,
): Promise<readonly OwnCredentialRow[]> {
  const control = await context.control();
  const path = withQuery(BYOK_PATH, { account: String(account.id), limit: String(PAGE) });
  return readJson<{ data: readonly OwnCredentialRow[] }>(await control.call('GET', path)).data;
}

/** By its id, or by a name that only one has. Throws `CommandFailed`. */
export async function findOwnCredential(context: CommandContext, wanted: string): Promise<FoundCredential> {
  const account = await accountOf(context);
  const rows = await readOwnCredentials(context, account);
  const byId = rows.find(({ id }) => id === wanted);
  const matches = byId === undefined ? rows.filter(({ name }) => name === wanted) : [byId];
  const [row, ...others] = matches;
  if (row === undefined) throw new CommandFailed('No own credential matches.');
  if (others.length > 0)
    throw new CommandFailed(
      `Several own credentials match; use one of these ids: ${matches.map(({ id }) => id).join(', ')}.`,
    );
  return { account, row };
}

export function credentialPath({ account, row }: FoundCredential, action = ''): string {
  return withQuery(`${BYOK_PATH}/${row.id}${action}`, { account: String(account.id) });
}
