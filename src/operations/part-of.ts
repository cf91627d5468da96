/** Operations of which a format has a part of its own: they are only relayed, so only providers that have it in the caller's format are asked. */
import { assert } from '../core/assert.ts';
import type { CallerDialect } from '../dialects/dialect.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { OperationPart } from '../dialects/interface/operation-part.ts';
import { chat } from './chat.ts';
import type { PaidOperation } from './operation.ts';

/** What the operation says for every format. */
export type OwnOfPart = Pick<PaidOperation, 'priceLines'> &
  Partial<Pick<PaidOperation, 'unitKinds' | 'mayBeKept' | 'permission' | 'saving'>>;

/** A paid operation that is in each format what the format's part says; in all else it is as a chat, but for `own`. */
export function partOperation(name: OperationName, own: OwnOfPart): PaidOperation {
  return {
    ...chat,
    ...own,
    name,
    permission: own.permission ?? name,
    isTranslated: false,
    exampleBody: (dialect, model) => partOf(dialect, name).exampleBody(model),
    peek: (dialect, inbound) => partOf(dialect, name).peek(inbound),
    patchRequest: (dialect, inbound, peek, edits) =>
      (partOf(dialect, name).patchRequest ?? dialect.patchRequest)(inbound, peek, edits),
    form: (dialect) => partOf(dialect, name).form ?? null,
    streaming: (dialect) => partOf(dialect, name).streaming ?? null,
    openRelay: (dialect, peek, context) => partOf(dialect, name).openRelay(peek, context),
  };
}

function partOf({ name: dialect, parts }: CallerDialect, name: OperationName): OperationPart {
  const part = parts?.[name];
  assert(part !== undefined, `${dialect} has a path for ${name}, so it can read its requests`);
  return part;
}
