/** `turnpike keys`: made, listed, revoked. */
import { type Command, UsageError } from './command.ts';
import { printTable, readJson, shortTime } from './output.ts';

interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly kind: string;
  readonly status: string;
  readonly project: { readonly id: number; readonly name: string | null };
  readonly created_at: string;
  readonly expires_at: string | null;
}

export const createKey: Command = {
  name: 'keys create',
  summary: 'Make an API key; its secret is printed once, alone on standard output',
  flags: {
    name: { type: 'string', value: '<name>', description: 'Label of your own; `Key <n>` when absent' },
    project: { type: 'string', value: '<name|id>', description: 'Project it belongs to; the oldest when absent' },
    expires: {
      type: 'string',
      value: '<30d|date>',
      description: 'When it stops: 12h, 30d, 2027-01-31 (UTC); never when absent',
    },
    management: { type: 'boolean', description: 'For the management API; it calls no models' },
  },
  async run(context) {
    const expires = context.text('expires');
    const body = {
      name: context.text('name'),
      project: context.text('project'),
      expires_at: expires === null ? null : readExpiry(expires, context.doors.now()),
      kind: context.has('management') ? 'management' : 'inference',
    };
    const control = await context.control({ mayBegin: true });
    const text = await control.call('POST', '/control/keys', body);
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { data, key } = readJson<{ data: KeyRow; key: string }>(text);
    const until = data.expires_at === null ? '' : `, until ${shortTime(data.expires_at)} UTC`;
    context.terminal.note(
      `Key ${data.id} "${data.name}" of project ${data.project.name ?? data.project.id}${until}. It is shown this once:`,
    );
    context.terminal.out(key);
    return 0;
  },
};

export const listKeys: Command = {
  name: 'keys list',
  summary: 'List API keys',
  flags: { all: { type: 'boolean', description: 'Revoked ones too' } },
  async run(context) {
    const control = await context.control();
    const text = await control.call('GET', `/control/keys?include_revoked=${context.has('all')}`);
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { data } = readJson<{ data: readonly KeyRow[] }>(text);
    printTable(
      context,
      ['ID', 'NAME', 'KEY', 'PROJECT', 'STATUS', 'CREATED (UTC)', 'EXPIRES (UTC)'],
      data.map((key) => [
        String(key.id),
        key.name,
        key.label,
        key.project.name ?? String(key.project.id),
        key.kind === 'management' ? `${key.status}, management` : key.status,
        shortTime(key.created_at),
        shortTime(key.expires_at),
      ]),
    );
    return 0;
  },
};

export const revokeKey: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key, for good; it stays in reports',
  parameters: '<id|label|name>',
  parameterCount: { min: 1, max: 1 },
  async run(context) {
    const control = await context.control();
    const text = await control.call('DELETE', `/control/keys/${encodeURIComponent(context.parameters[0] ?? '')}`);
    if (context.json) context.terminal.out(text);
    else {
      const { data } = readJson<{ data: KeyRow }>(text);
      context.terminal.out(`Key ${data.id} "${data.name}" (${data.label}) is revoked.`);
    }
    return 0;
  },
};

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d` from now, or a date (midnight UTC) or a time with its offset; RFC 3339. */
export function readExpiry(text: string, nowMs: number): string {
  const [, amount, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return new Date(nowMs + Number(amount) * (UNIT_MS[unit] ?? 0)).toISOString();
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const ms = isDate ? Date.parse(text) : Number.NaN;
  // JavaScript reads 31 February as 3 March; whoever wrote it meant something else.
  if (Number.isNaN(ms) || !sameDay(text)) {
    throw new UsageError(`--expires ${text} is no time; write 12h, 30d, 2027-01-31 or 2027-01-31T12:00:00Z`);
  }
  return new Date(ms).toISOString();
}

function sameDay(text: string): boolean {
  const day = text.slice(0, 10);
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
