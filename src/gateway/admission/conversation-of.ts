/** What a caller calls its conversation, in the order of decision 0052: of each client, what names the conversation most closely. */
import type { IncomingHttpHeaders } from 'node:http';
import type { CallerDialect } from '../../dialects/dialect.ts';
import type { Inbound } from '../../dialects/interface/inbound.ts';

/** Null if it has no name. Read only where there is a choice: a body may have to be read for it. */
export function conversationOf(
  dialect: Pick<CallerDialect, 'readConversation'>,
  { headers, document }: Pick<Inbound, 'headers' | 'document'>,
): string | null {
  return (
    first(headers, 'x-session-id') ??
    first(headers, 'x-claude-code-session-id') ??
    dialect.readConversation?.(document) ??
    null
  );
}

function first(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  const one = Array.isArray(value) ? value[0] : value;
  return one === undefined || one === '' ? null : one;
}
