/** Peeks at a request to shorten a conversation. https://platform.openai.com/docs/api-reference/responses/compact */
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { readModel } from '../../kit/peek/required-fields.ts';
import { readPreferences } from '../../kit/peek/routing/read-preferences.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { costsOfTools, NO_MODEL, PARAMETERS, PROMPT_FIELDS, requireInput } from './peek.ts';
import { present } from './peeked-fields.ts';
import { readInlineMedia } from './read-inline-media.ts';
import { readReferences } from './stored-references.ts';

/** Throws `GatewayError` 400. */
export function peekCompaction(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readModel(document, NO_MODEL);
  // What is kept of an earlier answer may be all of the conversation.
  if (present(document, 'previous_response_id') === null) requireInput(document);
  refuseGovernedFields(document);
  const { hasTools, costs } = costsOfTools(document);
  const media = readInlineMedia(document);
  const stored = readReferences(document);
  const preferences = readPreferences(document, model, PARAMETERS);
  return {
    model,
    stream: false,
    // The request has no field for a cap, so that of the model's window is held.
    outputCap: OUTPUT_TOKENS_MAX,
    choices: 1,
    hasTools,
    namedTools: costs.named,
    hasFormat: present(document, 'text') !== null,
    wantsUsage: true,
    promptUnbounded: !media.isBounded || costs.runs.length > 0 || stored.length > 0,
    // Nothing is called while a conversation is shortened.
    serverToolUses: 0,
    ...(stored.length > 0 && { stored }),
    searchField: null,
    compacts: false,
    media,
    promptBytes: promptBytesOf(document, PROMPT_FIELDS, media),
    bodyBytes: document.bytes.length,
    values: document.values,
    growth: document.growth ?? normalisedGrowth(document.bytes),
    predictedTokens: 0,
    needsTarget: false,
    ...(preferences !== null && { preferences }),
  };
}

/** No model writes more at a time. */
const OUTPUT_TOKENS_MAX = 1_000_000;
