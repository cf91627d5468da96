/** Peeks at a request to count tokens: a Messages request that asks for no answer. */
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { countPeek } from '../../kit/peek/count-peek.ts';
import { readModel, requireMessages } from '../../kit/peek/required-fields.ts';
import { readPreferences } from '../../kit/peek/routing/read-preferences.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { NO_MODEL, PARAMETERS, PROMPT_FIELDS } from './peek.ts';
import { listOf } from './peeked-fields.ts';

/** Throws `GatewayError` 400. https://docs.anthropic.com/en/api/messages-count-tokens */
export function peekPrompt(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readModel(document, NO_MODEL);
  requireMessages(document);
  refuseGovernedFields(document);
  const preferences = readPreferences(document, model, PARAMETERS);
  const known = { model, hasTools: listOf(document, 'tools') !== null, ...(preferences !== null && { preferences }) };
  return countPeek(known, document, document, PROMPT_FIELDS);
}
