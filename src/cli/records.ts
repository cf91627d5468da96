/** `turnpike records tail`: the newest calls, one line each. */
import { type Command, CommandFailed, UsageError } from './command.ts';
import { jsonLines, readJson, shortTime } from './output.ts';

interface RecordRow {
  readonly id: string;
  readonly admitted_at: string;
  readonly model: string;
  readonly provider: string;
  readonly status: number;
  readonly ending: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Decimal digits, or null. */
  readonly cost: string | null;
  readonly duration_ms: number;
}

const POLL_MS = 500;
const LINES_MAX = 1000;

export const tailRecords: Command = {
  name: 'records tail',
  summary: 'Show the newest calls, oldest first',
  flags: {
    follow: { type: 'boolean', description: 'Go on with new calls until interrupted; needs a running server' },
    lines: {
      type: 'string',
      value: '<n>',
      description: `How many to begin with, at most ${LINES_MAX}; 20 when absent`,
    },
  },
  async run(context) {
    const limit = readLimit(context.text('lines'));
    const control = await context.control();
    if (context.has('follow') && control.via === 'folder') {
      throw new CommandFailed('No server runs on this data folder, so there is nothing to follow.');
    }
    let after: string | null = null;
    for (;;) {
      const query: string = after === null ? `limit=${limit}` : `limit=${LINES_MAX}&after=${after}`;
      const text = await control.call('GET', `/control/records?${query}`);
      const rows = readJson<{ data: readonly RecordRow[] }>(text).data;
      const lines = context.json ? jsonLines(text) : rows.map(recordLine);
      for (const [index, row] of rows.entries()) {
        context.terminal.out(lines[index] ?? '');
        after = row.id;
      }
      if (!context.has('follow')) return 0;
      if (rows.length < LINES_MAX) await context.doors.wait(POLL_MS);
    }
  },
};

function recordLine(row: RecordRow): string {
  const tokens = `${row.prompt_tokens}+${row.completion_tokens} tokens`;
  const cost = row.cost === null ? 'no price' : `$${row.cost}`;
  return `${shortTime(row.admitted_at)}  ${row.status}  ${row.ending}  ${row.model} (${row.provider})  ${tokens}  ${cost}  ${Math.round(row.duration_ms)} ms  ${row.id}`;
}

function readLimit(text: string | null): number {
  if (text === null) return 20;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LINES_MAX) throw new UsageError(`--lines must be between 1 and ${LINES_MAX}`);
  return limit;
}
