/** The page docs/reference/faults.md, from what the rows' tests noted. */
import type { LedgerOutcome } from '../../support/ledger-outcome.ts';
import type { NotedRow } from './fault-row.ts';
import { FAMILIES, FAULT_ROWS, type RowId, WHERE_TESTED_TOO } from './matrix.ts';

const CHARGES: Readonly<Record<LedgerOutcome, string>> = {
  L0: 'nothing, and nothing was held',
  LV: 'nothing',
  LP: 'what the provider reports',
  LE: 'what the gateway counts',
  LC: 'the last checkpoint, at the next start',
};

/** One line of the table. */
export function rowOfPage({ id, gets, ledger, file }: NotedRow): string {
  const charge = ledger.map((outcome) => `${CHARGES[outcome]} (${outcome})`).join('; ');
  const files = [file, ...(WHERE_TESTED_TOO[id] ?? [])].map((each) => `\`${each}\``).join(', ');
  return `| ${id} | ${FAULT_ROWS[id].fault} | ${gets.join('; ')} | ${charge} | ${files} |`;
}

/** The row as it is published; null if it is not. */
export function rowFromPage(page: string, id: RowId): NotedRow | null {
  const cells = page
    .split('\n')
    .find((line) => line.startsWith(`| ${id} |`))
    ?.split(' | ');
  if (cells === undefined) return null;
  const [, , gets = '', charge = '', files = ''] = cells;
  const ledger = [...charge.matchAll(/\((L[0VPEC])\)/g)].map(([, outcome]) => outcome as LedgerOutcome);
  return { id, gets: gets.split('; '), ledger, file: /`([^`]+)`/.exec(files)?.[1] ?? '' };
}

export function faultPage(noted: readonly NotedRow[]): string {
  const byId = new Map(noted.map((row) => [row.id, row]));
  const ids = Object.keys(FAULT_ROWS) as RowId[];
  const sections = FAMILIES.flatMap(({ letter, title, opening }) => {
    const rows = ids.filter((id) => id.startsWith(letter) && byId.has(id));
    if (rows.length === 0) return [];
    const lines = rows.map((id) => rowOfPage(byId.get(id) as NotedRow));
    const head = '| # | fault | the caller gets | the charge | tested in |\n| --- | --- | --- | --- | --- |';
    return `## ${title}\n\n${opening}\n\n${head}\n${lines.join('\n')}\n`;
  });
  const differences = ids.flatMap((id) => {
    const { differs } = FAULT_ROWS[id];
    return differs === undefined || !byId.has(id) ? [] : [`- **${id}**: ${differs}`];
  });
  const shown = ids.flatMap((id) => {
    const { fault, shownBy } = FAULT_ROWS[id];
    return shownBy === undefined ? [] : [`- **${id}**, ${fault}: \`${shownBy}\``];
  });
  const missing = ids.filter((id) => !byId.has(id) && FAULT_ROWS[id].shownBy === undefined);
  const notYet = missing.length === 0 ? '' : `\n## Not tested yet\n\n${missing.join(', ')}.\n`;
  const open = `\n## Measured or proven instead\n\n${SHOWN}\n\n${shown.join('\n')}\n${notYet}`;
  return `${OPENING}\n${sections.join('\n')}\n## Not as planned at first\n\n${differences.join('\n')}\n${open}`;
}

const SHOWN =
  'What callers see of those that concern several nodes, and what becomes of the money, is in [many nodes](../guide/nodes.md); the figures are ' +
  'in [what is proven](../guide/proof.md).';

const OPENING = `# Faults

What a caller gets and pays when a provider, a caller or the machine misbehaves. Each row has a test of its number. It runs in every format that
it concerns, relayed and translated, streamed and whole, and checks more than is shown here: the call has exactly one final row in the ledger, or
none; a second later nothing is held; no balance is below zero; all sums are those of the rows; and \`turnpike ledger verify\` finds nothing.

\`\`\`sh
npm test -- test/faults/rows     # the rows that take moments
npm run prove -- faults          # those that take longer
\`\`\`

This page is written from such a run (\`scripts/build-fault-reference.ts\`), and each test compares its row with it. [Errors](errors.md) explains the
codes, [How a call ends](../guide/endings.md) the charges. "The answer" is a good one, in the caller's format; "as the last event" means that the
stream had begun, and ends without its usual end.
`;
