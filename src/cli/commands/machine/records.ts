/** `turnpike records tail`: the newest calls, one line each. */
import { escapeUnplain } from '../../../accounts/plain-text.ts';
import { METADATA_FILTER } from '../../../core/call-labels.ts';
import type { Command, CommandContext } from '../../command.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import type { ControlClient } from '../../control-client.ts';
import { endWithLauncher } from '../../launcher.ts';
import { jsonLines, readJson, shortTime } from '../../output.ts';

interface RecordRow {
  readonly id: string;
  readonly admitted_at: string;
  readonly model: string;
  readonly provider: string;
  /** Null if only the settlement of the call is left, as `duration_ms`. */
  readonly status: number | null;
  readonly ending: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Decimal digits, or null. */
  readonly cost: string | null;
  readonly charge: string;
  readonly saved: string;
  readonly usage_source: string;
  readonly own_credential: boolean;
  readonly duration_ms: number | null;
  readonly attempts: readonly {
    readonly provider: string;
    readonly error: string | null;
    readonly reason: string | null;
    /** Null in records of older versions. */
    readonly startMs: number | null;
    readonly durationMs: number;
  }[];
}

const POLL_MS = 500;
const LINES_MAX = 1000;
const AMONG = `of the newest ${LINES_MAX}`;

export const tailRecords: Command = {
  name: 'records tail',
  summary: 'Show the most recent calls, oldest first',
  flags: {
    follow: { type: 'boolean', description: 'Keep printing new calls until interrupted; needs a running server' },
    lines: {
      type: 'string',
      value: '<n>',
      description: `Number of calls to start with, at most ${LINES_MAX}; default: 20`,
    },
    user: { type: 'string', value: '<name>', description: `Only calls of this user, ${AMONG}` },
    app: { type: 'string', value: '<title>', description: `Only calls of this application, ${AMONG}` },
    metadata: { type: 'string', value: '<name:value>', description: `Only calls with this metadata, ${AMONG}` },
  },
  async run(context) {
    const limit = readLimit(context.text('lines'));
    const labels = labelQuery(context);
    const control = await context.control();
    if (context.has('follow') && control.via === 'folder') {
      throw new CommandFailed('No server is running on this data folder, so there is nothing to follow.');
    }
    let page = await readPage(context, control, `limit=${limit}${labels}`);
    for (const line of page.lines) context.terminal.out(line);
    if (!context.has('follow')) return 0;
    endWithLauncher(context.environment);
    // A call that ended while the first page was read may be in a later one too.
    const shown = new Set(page.ids);
    for (;;) {
      await context.doors.wait(POLL_MS);
      const before = page.sequence;
      page = await readPage(context, control, `since=${before}${labels}`);
      for (const [index, line] of page.lines.entries())
        if (!shown.has(page.ids[index] ?? '')) context.terminal.out(line);
      const missed = page.sequence - before - page.ids.length;
      // With a filter, calls that do not match are among them.
      if (missed > 0 && labels === '')
        context.terminal.note(`${missed} calls were skipped: they ended faster than they could be followed.`);
    }
  },
};

interface Page {
  readonly ids: readonly string[];
  readonly lines: readonly string[];
  /** The start of the next page. */
  readonly sequence: number;
}

async function readPage(context: CommandContext, control: ControlClient, query: string): Promise<Page> {
  const text = await control.call('GET', `/control/api/records?${query}`);
  const { data, sequence } = readJson<{ data: readonly RecordRow[]; sequence: number }>(text);
  return {
    ids: data.map((row) => row.id),
    lines: context.json ? jsonLines(text) : data.map(recordLine),
    sequence,
  };
}

function recordLine(row: RecordRow): string {
  const tokens = `${row.prompt_tokens}+${row.completion_tokens} tokens`;
  return `${shortTime(row.admitted_at)}  ${row.status ?? '–'}  ${row.ending}  ${escapeUnplain(row.model)} (${servedBy(row)})  ${tokens}  ${moneyOf(row)}  ${row.duration_ms === null ? '–' : durationText(row.duration_ms)}  ${row.id}${attemptsOf(row)}`;
}

function servedBy({ provider, usage_source: source, own_credential: isOwn }: RecordRow): string {
  if (source === 'cache') return `${provider}, from the cache`;
  return isOwn ? `${provider}, own credential` : provider;
}

/** What it cost; what was charged only where that is something else. */
function moneyOf({ cost, charge, saved, usage_source: source }: RecordRow): string {
  if (source === 'cache') return `$0, saved $${saved}`;
  if (cost === null) return 'no price';
  return charge === cost ? `$${cost}` : `$${cost}, charged $${charge}`;
}

/** Where else it was tried, or would have been; empty for a call that the first candidate served. */
function attemptsOf({ attempts }: RecordRow): string {
  if (attempts.length < 2) return '';
  const each = attempts.map(({ provider, error, reason, startMs, durationMs }) => {
    const times =
      startMs === null ? durationText(durationMs) : `${Math.round(startMs)}–${durationText(startMs + durationMs)}`;
    return [provider, reason, error, times].filter((word) => word !== null).join(' ');
  });
  return `  [${each.join(', ')}]`;
}

function durationText(ms: number): string {
  return `${Math.round(ms)} ms`;
}

/** Appended to another parameter; empty without filters. */
function labelQuery(context: CommandContext): string {
  const labels = LABEL_FLAGS.map((name) => [name, context.text(name)] as const);
  const metadata = context.text('metadata');
  if (metadata !== null && !METADATA_FILTER.test(metadata)) throw new UsageError('--metadata must be <name>:<value>');
  return labels.map(([name, text]) => (text === null ? '' : `&${name}=${encodeURIComponent(text)}`)).join('');
}

const LABEL_FLAGS = ['user', 'app', 'metadata'] as const;

function readLimit(text: string | null): number {
  if (text === null) return 20;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LINES_MAX) throw new UsageError(`--lines must be between 1 and ${LINES_MAX}`);
  return limit;
}
