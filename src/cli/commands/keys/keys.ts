/** `turnpike keys create` and `list`. */
import { CACHE_SECONDS_MAX } from '../../../response-cache/cache-wish.ts';
import type { Command, CommandContext, Flags } from '../../command.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { printTable, readExact, readJson, shortTime, shownText } from '../../output.ts';
import { readPages } from '../../read-pages.ts';
import { nameOf, readExpiry } from '../../read-values.ts';
import { accountOf, type Named } from '../accounts/find-account.ts';
import { findOpenProject } from '../accounts/find-project.ts';
import { limitFlags, limitsAsked } from '../limit-flags.ts';
import { namesakes } from './find-key.ts';
import { type FoundKey, keyRow, type ManagedKey } from './key-row.ts';
import { endOf, keyLimitsText, noteNamesakes } from './key-text.ts';

export const keyFlags: Flags = {
  name: { type: 'string', value: '<name>', description: 'Name; default: `Key <n>`' },
  expires: {
    type: 'string',
    value: '<30d|date>',
    description: 'When it expires: 12h, 30d, 2027-01-31 (UTC); default: never',
  },
  cache: {
    type: 'string',
    value: '<seconds>',
    description: 'Answer equal requests again for this long; none: only those that ask for it',
  },
  origins: {
    type: 'string',
    value: '<origin>',
    description: 'Pages that may use it, like https://app.example.com; none: no page; repeatable',
    repeatable: true,
  },
  ...limitFlags,
};

/** What `--cache` asks for, as the control plane takes it. */
export function cacheAsked(context: CommandContext): { readonly cache_seconds?: number | null } {
  const text = context.text('cache');
  if (text === null) return {};
  if (text === 'none') return { cache_seconds: null };
  const seconds = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > CACHE_SECONDS_MAX)
    throw new UsageError(
      `--cache ${text} is not valid; use a number of seconds from 1 to ${CACHE_SECONDS_MAX}, or none`,
    );
  return { cache_seconds: seconds };
}

/** What `--origins` asks for; the control plane checks them. */
export function originsAsked(context: CommandContext): { readonly origins?: readonly string[] | null } {
  const origins = context.list('origins');
  if (origins.length === 0) return {};
  if (!origins.includes('none')) return { origins };
  if (origins.length > 1) throw new UsageError('--origins none cannot be combined with other origins');
  return { origins: null };
}

export const createKey: Command = {
  name: 'keys create',
  summary: 'Create an API key; its secret is printed once, alone on standard output',
  flags: {
    ...keyFlags,
    account: {
      type: 'string',
      value: '<name|id>',
      description: 'Account of the key; default: the account of the project',
    },
    project: {
      type: 'string',
      value: '<name|id>',
      description: 'Project of the key; default: the oldest of the account, unless it is archived',
    },
    management: { type: 'boolean', description: 'For the management API; it cannot call models' },
  },
  async run(context) {
    const expires = context.text('expires');
    const body = {
      name: nameOf(context),
      expires_at: expires === null ? null : readExpiry(expires, context.doors.now()),
      kind: context.has('management') ? 'management' : 'inference',
      ...cacheAsked(context),
      ...originsAsked(context),
      ...limitsAsked(context),
    };
    const control = await context.control({ mayBegin: true });
    const { account: owner, project } = await ownerOf(context);
    const path = withQuery('/control/api/keys', { account: String(owner.id) });
    const text = await control.call('POST', path, { ...body, project });
    const { data: made, key } = readJson<{ data: ManagedKey; key: string }>(text);
    const data = keyRow(made, owner);
    // The secret is printed even if this fails: there is no other copy.
    const others = await namesakes(context, data).catch(() => []);
    if (context.json) {
      const exact = keyRow(readExact<{ data: ManagedKey }>(text).data, owner);
      context.terminal.out(JSON.stringify({ data: exact, key, same_name: others }));
      return 0;
    }
    const account = context.text('account') !== null ? `, account ${shownText(owner.name)}` : '';
    const until = data.expires_at === null ? '' : `, until ${shortTime(data.expires_at)} UTC`;
    noteNamesakes(context, data, others);
    context.terminal.note(
      `Key ${data.id} "${shownText(data.name)}" created in project ${shownText(data.project.name)}${account}${until}. It is not shown again:`,
    );
    context.terminal.out(key);
    return 0;
  },
};

export const listKeys: Command = {
  name: 'keys list',
  summary: 'List API keys with their spend (USD) and limits',
  flags: { all: { type: 'boolean', description: 'Include revoked keys' } },
  async run(context) {
    const control = await context.control();
    const query = { include_revoked: String(context.has('all')) };
    const read = context.json ? readExact : readJson;
    const found = await readPages<FoundKey>(control, '/control/api/all/keys', query, { read });
    const data = found.toReversed().map((key) => keyRow(key, key.account));
    if (context.json) {
      context.terminal.out(JSON.stringify({ data, total_count: data.length }));
      return 0;
    }
    const hasSeveralAccounts = new Set(data.map(({ account }) => account.id)).size > 1;
    printTable(
      context,
      [
        'ID',
        'NAME',
        'KEY',
        ...(hasSeveralAccounts ? ['ACCOUNT'] : []),
        'PROJECT',
        'STATUS',
        'CREATED (UTC)',
        'EXPIRES (UTC)',
        'SPENT',
        'LIMITS',
      ],
      data.map((key) => [
        String(key.id),
        key.name,
        key.label,
        ...(hasSeveralAccounts ? [key.account.name] : []),
        key.project.name,
        key.kind === 'management' ? `${key.status}, management` : key.status,
        shortTime(key.created_at),
        shortTime(endOf(key)),
        key.spent,
        keyLimitsText(key),
      ]),
    );
    return 0;
  },
};

/** The account and project of a new key; `project` is null for the oldest one of the account. Throws `CommandFailed`. */
async function ownerOf(context: CommandContext): Promise<{ readonly account: Named; readonly project: number | null }> {
  const wanted = context.text('project');
  if (wanted !== null) {
    const { id, account } = await findOpenProject(context, wanted);
    return { account, project: id };
  }
  const account = await accountOf(context);
  const control = await context.control();
  const path = withQuery('/control/api/projects', { account: String(account.id), include_archived: 'true' });
  const [oldest] = readJson<{ data: readonly OldestProject[] }>(await control.call('GET', path)).data;
  if (oldest !== undefined && oldest.archived_at !== null)
    throw new CommandFailed(
      `The oldest project, "${shownText(oldest.name)}", is archived; choose another one with --project.`,
    );
  return { account, project: null };
}

interface OldestProject {
  readonly name: string;
  readonly archived_at: string | null;
}
