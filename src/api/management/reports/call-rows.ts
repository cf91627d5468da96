/** Calls as a table, with their sums in the total line. */
import { isoTime } from '../../../core/calendar.ts';
import { generationId } from '../../../core/ids.ts';
import { formatUsd, type Money } from '../../../core/money.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { CallSummary } from '../../../stats/call-list.ts';
import { hasDetail } from '../../../stats/record.ts';
import type { CsvRow } from '../door/csv.ts';
import { type NameSources, namedKey, namedProject } from './names.ts';

export const CALL_COLUMNS = [
  'at',
  'call',
  'model',
  'provider',
  'key_id',
  'key',
  'project_id',
  'project',
  'streamed',
  'status',
  'ending',
  'error',
  'prompt_tokens',
  'completion_tokens',
  'charge_usd',
  'first_byte_ms',
  'duration_ms',
  'has_warnings',
  'user',
  'app',
  'referer',
  'metadata',
];

export async function* callRows(
  names: NameSources,
  batches: AsyncIterable<readonly CallSummary[]>,
): AsyncGenerator<CsvRow[], CsvRow> {
  let count = 0;
  let charge = 0n;
  let prompt = 0;
  let completion = 0;
  for await (const calls of batches) {
    for (const call of calls) {
      count += 1;
      charge += call.charge;
      prompt += promptTokens(call.usage);
      completion += completionTokens(call.usage);
    }
    yield calls.map((call) => callRow(names, call));
  }
  const total = new Map<string, CsvRow[number]>([
    ['at', 'total'],
    ['call', `${count} calls`],
    ['prompt_tokens', prompt],
    ['completion_tokens', completion],
    ['charge_usd', formatUsd(charge as Money)],
  ]);
  return CALL_COLUMNS.map((column) => total.get(column) ?? null);
}

function callRow(names: NameSources, call: CallSummary): CsvRow {
  const isDetailed = hasDetail(call);
  return [
    isoTime(call.admittedAt),
    generationId(call.callId),
    call.model,
    call.provider,
    call.keyId,
    namedKey(names, call.keyId).name,
    call.projectId,
    namedProject(names, call.projectId).name,
    String(call.streamed),
    isDetailed ? call.status : null,
    call.ending,
    call.errorCode,
    promptTokens(call.usage),
    completionTokens(call.usage),
    formatUsd(call.charge),
    call.firstByteMs,
    isDetailed ? call.durationMs : null,
    String(call.warnings.length > 0),
    call.labels?.user ?? null,
    call.labels?.app ?? null,
    call.labels?.referer ?? null,
    call.labels === null || Object.keys(call.labels.metadata).length === 0
      ? null
      : JSON.stringify(call.labels.metadata),
  ];
}
