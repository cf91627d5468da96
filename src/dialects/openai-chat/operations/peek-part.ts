/** What every operation besides `chat` reads of a request: its model, where it may be served, and its length. */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Peek } from '../../interface/peek.ts';
import { NO_MEDIA } from '../../kit/media/inline-media.ts';
import { passes } from '../../kit/peek/governed-field.ts';
import { GovernedNames, governedRefusal } from '../../kit/peek/governed-names.ts';
import { refuseObjection } from '../../kit/peek/looked-field.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { readModel } from '../../kit/peek/required-fields.ts';
import { readPreferences } from '../../kit/peek/routing/read-preferences.ts';
import { generalFields } from '../peek/general-fields.ts';
import type { LookedField } from '../peek/generation-fields.ts';

/** The fields of a request for one operation. */
export interface PartFields {
  /** Governed ones, besides those of every operation. */
  readonly governed?: readonly LookedField[];
  /** Those that are read here, so that their spelling is checked. */
  readonly read: readonly string[];
  /** Those that the model reads. */
  readonly prompt: readonly string[];
  /** Those that a provider must support if the caller says so, with OpenRouter's names. None if absent. */
  readonly parameters?: ReadonlyMap<string, string>;
}

/** Reads a request; what is peculiar to the operation is then set in the result. */
export type PeekPart = (document: JsonDocument) => Peek;

/** The reader of requests with these fields. It throws `GatewayError` 400 for governed fields, and without a model. */
export function partReader({ governed = [], read, prompt, parameters = NO_PARAMETERS }: PartFields): PeekPart {
  const names = new GovernedNames<LookedField>([...generalFields, ...governed], ['model', 'stream', ...read]);
  return (document) => {
    const model = readModel(document, '"model" must be the name of a model, as a string.');
    refuseGoverned(document, names);
    const preferences = readPreferences(document, model, parameters);
    return {
      ...PLAIN,
      model,
      promptBytes: promptBytesOf(document, prompt, NO_MEDIA),
      bodyBytes: document.bytes.length,
      values: document.values,
      growth: document.growth ?? normalisedGrowth(document.bytes),
      ...(preferences !== null && { preferences }),
    };
  };
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** A request that is answered whole, with nothing to pay for but its prompt. */
const PLAIN = {
  stream: false,
  outputCap: 0,
  choices: 1,
  hasTools: false,
  namedTools: 0,
  wantsUsage: true,
  hasFormat: false,
  promptUnbounded: false,
  serverToolUses: 0,
  searchField: null,
  compacts: false,
  media: NO_MEDIA,
  predictedTokens: 0,
  needsTarget: false,
} as const;

function refuseGoverned(document: JsonDocument, names: GovernedNames<LookedField>): void {
  document.fields.forEach((field, name) => {
    const governed = names.find(name);
    if (governed === null) return;
    if (governed.looked !== undefined) refuseObjection(document, field, governed, governed.looked);
    else if (!passes(document, field, governed)) throw governedRefusal(governed, governed.passes.length === 0);
  });
}
