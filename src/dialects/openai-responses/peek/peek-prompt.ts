/** Peeks at a request to count tokens: a request that asks for no answer. */
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { countPeek } from '../../kit/peek/count-peek.ts';
import { readModel } from '../../kit/peek/required-fields.ts';
import { readPreferences } from '../../kit/peek/routing/read-preferences.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { NO_MODEL, PARAMETERS, PROMPT_FIELDS, requireInput } from './peek.ts';
import { listOf } from './peeked-fields.ts';
import { readReferences } from './stored-references.ts';

/** Throws `GatewayError` 400. https://platform.openai.com/docs/api-reference/responses/input-tokens */
export function peekPrompt(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readModel(document, NO_MODEL);
  requireInput(document);
  refuseGovernedFields(document);
  const stored = readReferences(document);
  const hasTools = listOf(document, 'tools') !== null;
  const preferences = readPreferences(document, model, PARAMETERS);
  const known = {
    model,
    hasTools,
    ...(stored.length > 0 && { stored }),
    ...(preferences !== null && { preferences }),
  };
  return countPeek(known, document, document, PROMPT_FIELDS);
}
