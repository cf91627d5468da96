/** Peeks at a request to count tokens: a request that asks for no answer. */
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { NO_MEDIA } from '../../kit/media/inline-media.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { readModel } from '../../kit/peek/required-fields.ts';
import { refuseGovernedFields } from './governed-fields.ts';
import { NO_MODEL, PROMPT_FIELDS, requireInput } from './peek.ts';
import { listOf } from './peeked-fields.ts';
import { readReferences } from './stored-references.ts';

/** Throws `GatewayError` 400. https://platform.openai.com/docs/api-reference/responses/input-tokens */
export function peekPrompt(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readModel(document, NO_MODEL);
  requireInput(document);
  refuseGovernedFields(document);
  const stored = readReferences(document);
  return {
    model,
    stream: false,
    outputCap: null,
    choices: 1,
    hasTools: listOf(document, 'tools') !== null,
    namedTools: 0,
    wantsUsage: true,
    hasFormat: false,
    promptUnbounded: false,
    serverToolUses: 0,
    ...(stored.length > 0 && { stored }),
    searchField: null,
    compacts: false,
    // Nobody is charged for a count.
    media: NO_MEDIA,
    promptBytes: promptBytesOf(document, PROMPT_FIELDS, NO_MEDIA),
    bodyBytes: document.bytes.length,
    values: document.values,
    // Nobody is charged for a count.
    growth: 0,
    predictedTokens: 0,
    needsTarget: false,
  };
}
