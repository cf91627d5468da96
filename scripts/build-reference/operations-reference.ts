/** What each operation may be charged by, from the table of operations. */
import { operations } from '../../src/operations/index.ts';
import type { Operation, PaidOperation } from '../../src/operations/operation.ts';
import { code, codeList, markdownTable } from './markdown-table.ts';

export function operationsReference(): string {
  return markdownTable(
    ['operation', 'permission of a key', 'lines of the price list'],
    Object.values<Operation>(operations).map((operation) => [
      code(operation.name),
      code(operation.permission),
      operation.isPaid ? codeList(linesOf(operation)) : 'none: it is free',
    ]),
  );
}

function linesOf({ priceLines, unitKinds }: PaidOperation): readonly string[] {
  return [...priceLines, ...unitKinds.map((kind) => `units.${kind}`)];
}
