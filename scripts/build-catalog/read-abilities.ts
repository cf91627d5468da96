/** LiteLLM's flags (`supports_…`): what a model can be asked for. */
import { EFFORTS, type Effort } from '../../src/chat/request.ts';
import { quirksOfModel } from '../../src/dialects/anthropic-messages/quirks.ts';
import type { Abilities } from './offer.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** Every model that takes an effort takes these, so the table has a flag only to deny one. */
const USUAL_EFFORTS: readonly Effort[] = ['low', 'medium', 'high'];

export function readAbilities(upstreamModel: string, entry: Entry, table: Readonly<Record<string, Entry>>): Abilities {
  return {
    efforts: readEfforts(entry),
    thinking: readThinking(upstreamModel, entry),
    sampling: readFlag(entry, 'sampling_params'),
    // The table has this flag only for resellers of Claude, and Google's writes the names as Anthropic does.
    systemAnywhere:
      readFlag(entry, 'mid_conversation_system') ??
      readFlag(table[`vertex_ai/${upstreamModel}`] ?? {}, 'mid_conversation_system'),
    prefill: readFlag(entry, 'assistant_prefill'),
  };
}

function readEfforts(entry: Entry): Effort[] | null {
  const flags = EFFORTS.map((effort) => [effort, readFlag(entry, `${effort}_reasoning_effort`)] as const);
  if (readFlag(entry, 'reasoning') !== true || flags.every(([, flag]) => flag === null)) return null;
  return flags.flatMap(([effort, flag]) => ((flag ?? USUAL_EFFORTS.includes(effort)) ? [effort] : []));
}

function readThinking(upstreamModel: string, entry: Entry): Abilities['thinking'] {
  if (!upstreamModel.startsWith('claude-') || readFlag(entry, 'reasoning') !== true) return null;
  const { thinking = null } = quirksOfModel(upstreamModel);
  return thinking ?? (readFlag(entry, 'adaptive_thinking') === true ? 'adaptive' : 'budget');
}

function readFlag(entry: Entry, name: string): boolean | null {
  const flag = entry[`supports_${name}`];
  return typeof flag === 'boolean' ? flag : null;
}
