/** `turnpike keys`: made, listed, changed, rotated, revoked. */
import { GRACE_MS_MAX } from '../../accounts/keys.ts';
import type { Command, CommandContext, Flags } from '../command.ts';
import { CommandFailed, UsageError } from '../command-errors.ts';
import { withQuery } from '../control-client.ts';
import { printTable, readExact, readJson, shortTime, shownText } from '../output.ts';
import { readPages } from '../read-pages.ts';
import { nameOf, readExpiry, readSpan } from '../read-values.ts';
import { accountOf, type Named } from './find-account.ts';
import { findOpenProject } from './find-project.ts';
import { type FoundKey, findKey, type KeyRow, keyRow, type ManagedKey, namesakes } from './key-row.ts';
import { limitFlags, limitsAsked, limitsText } from './limit-flags.ts';

const REFERENCE = { parameters: '<id|label|name>', parameterCount: { min: 1, max: 1 } } as const;

const sharedFlags: Flags = {
  name: { type: 'string', value: '<name>', description: 'Label of your own; `Key <n>` when absent' },
  expires: {
    type: 'string',
    value: '<30d|date>',
    description: 'When it stops: 12h, 30d, 2027-01-31 (UTC); never when absent',
  },
  ...limitFlags,
};

export const createKey: Command = {
  name: 'keys create',
  summary: 'Make an API key; its secret is printed once, alone on standard output',
  flags: {
    ...sharedFlags,
    account: {
      type: 'string',
      value: '<name|id>',
      description: 'Account it belongs to; where absent, that of the project',
    },
    project: {
      type: 'string',
      value: '<name|id>',
      description: 'Project it belongs to; the oldest (of the account) when absent, unless it is archived',
    },
    management: { type: 'boolean', description: 'For the management API; it calls no models' },
  },
  async run(context) {
    const expires = context.text('expires');
    const body = {
      name: nameOf(context),
      expires_at: expires === null ? null : readExpiry(expires, context.doors.now()),
      kind: context.has('management') ? 'management' : 'inference',
      ...limitsAsked(context),
    };
    const control = await context.control({ mayBegin: true });
    const { account: owner, project } = await placeOf(context);
    const path = withQuery('/control/api/keys', { account: String(owner.id) });
    const text = await control.call('POST', path, { ...body, project });
    const { data: made, key } = readJson<{ data: ManagedKey; key: string }>(text);
    const data = keyRow(made, owner);
    const others = await namesakes(context, data);
    if (context.json) {
      const exact = keyRow(readExact<{ data: ManagedKey }>(text).data, owner);
      context.terminal.out(JSON.stringify({ data: exact, key, same_name: others }));
      return 0;
    }
    const account = context.text('account') !== null ? `, account ${shownText(owner.name)}` : '';
    const until = data.expires_at === null ? '' : `, until ${shortTime(data.expires_at)} UTC`;
    noteNamesakes(context, data, others);
    context.terminal.note(
      `Key ${data.id} "${shownText(data.name)}" of project ${shownText(data.project.name)}${account}${until}. It is shown this once:`,
    );
    context.terminal.out(key);
    return 0;
  },
};

export const listKeys: Command = {
  name: 'keys list',
  summary: 'List API keys, with what they spent (USD) and their limits',
  flags: { all: { type: 'boolean', description: 'Revoked ones too' } },
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
    const isOfSeveral = new Set(data.map(({ account }) => account.id)).size > 1;
    printTable(
      context,
      [
        'ID',
        'NAME',
        'KEY',
        ...(isOfSeveral ? ['ACCOUNT'] : []),
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
        ...(isOfSeveral ? [key.account.name] : []),
        key.project.name,
        key.kind === 'management' ? `${key.status}, management` : key.status,
        shortTime(key.created_at),
        shortTime(endOf(key)),
        key.spent,
        limitsText(key),
      ]),
    );
    return 0;
  },
};

export const updateKey: Command = {
  name: 'keys update',
  summary: 'Change a key; what is not named stays, and none takes a limit away',
  ...REFERENCE,
  flags: {
    ...sharedFlags,
    name: { type: 'string', value: '<name>', description: 'Another name' },
    expires: { type: 'string', value: '<30d|date|never>', description: 'When it stops' },
  },
  async run(context) {
    const expires = context.text('expires');
    const name = nameOf(context);
    const asked = limitsAsked(context);
    const body = {
      ...(name === null ? {} : { name }),
      ...(expires === null
        ? {}
        : { expires_at: expires === 'never' ? null : readExpiry(expires, context.doors.now()) }),
      ...asked,
    };
    if (name === null && expires === null && isNothing(asked))
      throw new UsageError('keys update needs a flag that says what to change');
    return change(context, body, (key) => `is changed: ${limitsText(key)}`);
  },
};

export const disableKey: Command = {
  name: 'keys disable',
  summary: 'Refuse a key until it is enabled; calls that run on it end by themselves',
  ...REFERENCE,
  run: (context) => change(context, { disabled: true }, () => 'is disabled'),
};

export const enableKey: Command = {
  name: 'keys enable',
  summary: 'Let a disabled key in again',
  ...REFERENCE,
  run: (context) => change(context, { disabled: false }, ({ status }) => `is enabled, and ${status}`),
};

export const rotateKey: Command = {
  name: 'keys rotate',
  summary: 'Give a key a new secret, printed once; the old one is good until the grace is over',
  ...REFERENCE,
  flags: {
    grace: {
      type: 'string',
      value: '<24h>',
      description: 'How long the old secret stays good, at most 7d; 24h when absent',
    },
  },
  async run(context) {
    const grace = context.text('grace') ?? '24h';
    const graceMs = readSpan('grace', grace);
    if (graceMs > GRACE_MS_MAX)
      throw new UsageError(`--grace ${grace} is too long; the old secret is good for 7d at most`);
    const control = await context.control();
    const found = await findKey(context, true);
    const text = await control.call('POST', pathOf(found, '/rotate'), { grace_ms: graceMs });
    if (context.json) {
      const { data, retiring, key } = readExact<Rotated>(text);
      const [successor, old] = [keyRow(data, found.account), keyRow(retiring, found.account)];
      context.terminal.out(JSON.stringify({ data: successor, retiring: old, key }));
      return 0;
    }
    const { data, retiring, key } = readJson<Rotated>(text);
    context.terminal.note(
      `Key ${data.id} "${shownText(data.name)}" takes over from key ${retiring.id} (${retiring.label}), which is good until ${shortTime(endOf(retiring))} UTC. It is shown this once:`,
    );
    context.terminal.out(key);
    return 0;
  },
};

export const revokeKey: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key, for good; it stays in reports',
  ...REFERENCE,
  flags: {
    now: { type: 'boolean', description: 'Cut the calls that run on it; else they end by themselves' },
    'with-made': {
      type: 'boolean',
      description: 'Of a management key: revoke the keys that it made, too, and cut the calls that run on them',
    },
  },
  async run(context) {
    const control = await context.control();
    const query = {
      now: context.has('now') ? 'true' : null,
      with_made: context.has('with-made') ? 'true' : null,
    };
    const found = await findKey(context, false);
    const text = await control.call('DELETE', pathOf(found, '', query));
    if (context.json) {
      const { data, predecessors, made } = readExact<Revoked>(text);
      context.terminal.out(JSON.stringify({ data: keyRow(data, found.account), predecessors, made }));
    } else {
      const { data, predecessors, made } = readJson<Revoked>(text);
      context.terminal.out(`Key ${data.id} "${shownText(data.name)}" (${data.label}) is revoked.`);
      for (const line of predecessorsText(predecessors)) context.terminal.out(line);
      if (made !== null) for (const line of madeText(made)) context.terminal.out(line);
    }
    return 0;
  },
};

interface Rotated {
  readonly data: ManagedKey;
  readonly retiring: ManagedKey;
  readonly key: string;
}

interface Changed {
  readonly data: ManagedKey;
  readonly predecessors: readonly PredecessorRow[];
}

interface Revoked extends Changed {
  readonly made: MadeRow | null;
}

type PredecessorRow = Pick<ManagedKey, 'id' | 'label' | 'status'>;

/** Earlier secrets of a rotated key, which its change or revocation holds for. */
function predecessorsText(predecessors: readonly PredecessorRow[]): string[] {
  return predecessors.map(
    ({ id, label, status }) => `The same for its earlier secret, key ${id} (${label}), ${status}.`,
  );
}

interface MadeRow {
  readonly keys_revoked: number;
  readonly keys_left: readonly Pick<ManagedKey, 'id' | 'name' | 'label' | 'status'>[];
  readonly keys_left_count: number;
}

/** What a management key leaves behind. */
function madeText({ keys_revoked: revoked, keys_left: left, keys_left_count: count }: MadeRow): string[] {
  const unlisted = count - left.length;
  return [
    ...(revoked === 0 ? [] : [`${numbered(revoked)} that it made ${revoked === 1 ? 'is' : 'are'} revoked, too.`]),
    ...(count === 0
      ? []
      : [`${numbered(count)} that it made ${count === 1 ? 'stays' : 'stay'}; revoke what should not:`]),
    ...left.map(({ id, name, label, status }) => `  ${id} "${shownText(name)}" (${label}), ${status}`),
    ...(unlisted === 0 ? [] : [`  and ${unlisted} more`]),
  ];
}

function numbered(count: number): string {
  return count === 1 ? '1 key' : `${count} keys`;
}

async function change(context: CommandContext, body: object, outcome: (key: KeyRow) => string): Promise<number> {
  const control = await context.control();
  const found = await findKey(context, true);
  const text = await control.call('PATCH', pathOf(found), body);
  const { data: changed, predecessors } = readJson<Changed>(text);
  const data = keyRow(changed, found.account);
  const others = 'name' in body ? await namesakes(context, data) : [];
  if (context.json) {
    const exact = readExact<Changed>(text);
    const row = keyRow(exact.data, found.account);
    context.terminal.out(JSON.stringify({ data: row, predecessors: exact.predecessors, same_name: others }));
  } else {
    noteNamesakes(context, data, others);
    context.terminal.out(`Key ${data.id} "${shownText(data.name)}" (${data.label}) ${outcome(data)}.`);
    for (const line of predecessorsText(predecessors)) context.terminal.out(line);
  }
  return 0;
}

/** So many are named in a sentence. */
const NAMESAKES_SHOWN_MAX = 5;

/** A name that stands for several keys is allowed, and commands then need an id. */
function noteNamesakes({ terminal }: CommandContext, { id, name }: KeyRow, others: readonly number[]): void {
  if (others.length === 0) return;
  const shown = `${others.slice(0, NAMESAKES_SHOWN_MAX).join(', ')}${others.length > NAMESAKES_SHOWN_MAX ? ', …' : ''}`;
  const has = others.length === 1 ? `Key ${shown} has` : `Keys ${shown} have`;
  terminal.note(`${has} the name "${shownText(name)}" too; say ${id} to commands, or rename one with keys update.`);
}

/** Where a key is made; `project` is null for the oldest one of the account. Throws `CommandFailed`. */
async function placeOf(context: CommandContext): Promise<{ readonly account: Named; readonly project: number | null }> {
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
      `Project "${shownText(oldest.name)}", the oldest, is archived; name another one (--project).`,
    );
  return { account, project: null };
}

interface OldestProject {
  readonly name: string;
  readonly archived_at: string | null;
}

function pathOf({ id, account }: FoundKey, below = '', query: Readonly<Record<string, string | null>> = {}): string {
  return withQuery(`/control/api/keys/${id}${below}`, { account: String(account.id), ...query });
}

/** What ends first, its expiry or its retirement. */
function endOf({
  expires_at: expires,
  retiring_at: retiring,
}: Pick<KeyRow, 'expires_at' | 'retiring_at'>): string | null {
  if (expires === null || retiring === null) return expires ?? retiring;
  return expires < retiring ? expires : retiring;
}

function isNothing(asked: { readonly limits: object; readonly permissions: object }): boolean {
  return Object.keys(asked.limits).length === 0 && Object.keys(asked.permissions).length === 0;
}
