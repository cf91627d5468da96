/** Reads the models that this installation can serve, page by page. */
import { type ControlClient, withQuery } from './control-client.ts';
import { readJson } from './output.ts';

export interface OfferedModels<Row> {
  readonly data: readonly Row[];
  /** Whether a model without a price is served. */
  readonly servesUnpriced: boolean;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
  readonly serves_unpriced: boolean;
}

/** `includeUnserved`: also those that only lack a provider. */
export async function readOfferedModels<Row>(
  control: Pick<ControlClient, 'call'>,
  includeUnserved: boolean,
): Promise<OfferedModels<Row>> {
  const data: Row[] = [];
  for (let cursor: string | null = null; ; ) {
    const path = withQuery('/control/api/offered-models', { include_unserved: String(includeUnserved), cursor });
    const page: Page<Row> = readJson<Page<Row>>(await control.call('GET', path));
    data.push(...page.data);
    if (page.next_cursor === null) return { data, servesUnpriced: page.serves_unpriced };
    cursor = page.next_cursor;
  }
}
