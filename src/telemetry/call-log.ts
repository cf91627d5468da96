/**
 * The log line of a call. It is what the program writes most, so it is assembled by hand:
 * a general logger takes several times as long for the same text.
 */
export interface CallEntry {
  readonly request: string;
  readonly client: string | null;
  readonly keyId: number | null;
  readonly dialect: string;
  readonly model: string | null;
  readonly provider: string | null;
  readonly status: number;
  readonly ending: string | null;
  readonly error: string | null;
  readonly streamed: boolean | null;
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly costNano: bigint | null;
  readonly attempts: number;
  /** Node's code for a failed connection to a provider; the line has the field only if it is not null. */
  readonly connectionError: string | null;
}

/** One line of JSON with its line break; `time` as the logger writes it: `,"time":"…"`. */
export function callLine(time: string, entry: CallEntry): string {
  const connection = entry.connectionError === null ? '' : `,"connectionError":${quoted(entry.connectionError)}`;
  return (
    `{"level":"info"${time},"request":"${entry.request}","client":${quoted(entry.client)},"keyId":${entry.keyId}` +
    `,"dialect":${quoted(entry.dialect)},"model":${quoted(entry.model)},"provider":${quoted(entry.provider)}` +
    `,"status":${entry.status},"ending":${quoted(entry.ending)},"error":${quoted(entry.error)}` +
    `,"streamed":${entry.streamed},"ms":${tenths(entry.durationMs)},"firstByteMs":${tenths(entry.firstByteMs)}` +
    `,"tokensIn":${entry.tokensIn},"tokensOut":${entry.tokensOut},"costNano":${entry.costNano}` +
    `,"attempts":${entry.attempts}${connection},"msg":"call"}\n`
  );
}

/** Caches strings as JSON: the same few names and addresses appear in line after line. */
const kept = new Map<string, string>();
const KEPT_MAX = 1024;

function quoted(text: string | null): string {
  if (text === null) return 'null';
  const known = kept.get(text);
  if (known !== undefined) return known;
  const made = JSON.stringify(text);
  if (kept.size === KEPT_MAX) kept.clear();
  kept.set(text, made);
  return made;
}

function tenths(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds * 10) / 10;
}
