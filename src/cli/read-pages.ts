/** Reads lists of the control plane page by page. */
import { type ControlClient, withQuery } from './control-client.ts';
import { readJson } from './output.ts';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export interface PageOptions {
  /** How an answer is parsed; `readJson` by default. */
  readonly read?: <Shape>(text: string) => Shape;
  /** Rows per page; by default as many as the route returns. */
  readonly pageRows?: number;
  /** The most rows in total; by default all. */
  readonly limit?: number;
}

/** Every row of a list, in its order. */
export async function readPages<Row>(
  control: ControlClient,
  path: string,
  query: Readonly<Record<string, string | null>>,
  { read = readJson, pageRows, limit = Number.POSITIVE_INFINITY }: PageOptions = {},
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor = query['cursor'] ?? null;
  do {
    const left = Math.min(pageRows ?? Number.POSITIVE_INFINITY, limit - rows.length);
    const size = Number.isFinite(left) ? { limit: String(left) } : {};
    const page = read<Page<Row>>(await control.call('GET', withQuery(path, { ...query, ...size, cursor })));
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < limit);
  return rows;
}
