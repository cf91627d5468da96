/**
 * One model as Codex reads it: the type `ModelInfo` of https://github.com/openai/codex (codex-rs/protocol). Codex drops the whole list if one
 * model lacks a field without a default, or has an unknown word in some of them; older versions know fewer words.
 */
import type { Model } from '../../../catalog/model.ts';
import type { Effort } from '../../../chat/request.ts';
import { CODEX_INSTRUCTIONS } from './codex-instructions.ts';

export function codexModel(model: Model): string {
  const levels = LEVELS.filter(({ effort }) => model.efforts?.includes(effort) === true);
  const thinks = levels.length > 0 || takes(model, 'reasoning');
  return JSON.stringify({
    slug: model.id,
    display_name: model.name,
    description: model.description === '' ? null : model.description,
    default_reasoning_level: defaultOf(levels)?.effort ?? null,
    supported_reasoning_levels: levels,
    shell_type: 'shell_command',
    visibility: canWorkInCodex(model) ? 'list' : 'hide',
    supported_in_api: true,
    // Lower is higher in its list, and the first is its default. A 32-bit integer.
    priority: NEWEST_FIRST - model.created,
    upgrade: null,
    base_instructions: CODEX_INSTRUCTIONS,
    supports_reasoning_summaries: thinks,
    supports_reasoning_summary_parameter: thinks,
    support_verbosity: takes(model, 'verbosity'),
    default_verbosity: null,
    apply_patch_tool_type: null,
    truncation_policy: { mode: 'tokens', limit: TOOL_OUTPUT_TOKENS },
    supports_parallel_tool_calls: true,
    context_window: model.contextWindow,
    experimental_supported_tools: [],
    input_modalities: model.inputModalities.filter((name) => name === 'text' || name === 'image'),
  });
}

/** `max` is left out: older versions of Codex do not know it. */
const LEVELS: readonly { readonly effort: Effort; readonly description: string }[] = [
  { effort: 'none', description: 'No reasoning' },
  { effort: 'minimal', description: 'Hardly any reasoning' },
  { effort: 'low', description: 'Little reasoning: fast' },
  { effort: 'medium', description: 'Some reasoning' },
  { effort: 'high', description: 'Much reasoning: slow' },
  { effort: 'xhigh', description: 'Very much reasoning: very slow' },
];

const NEWEST_FIRST = 2 ** 31 - 1;
/** As for OpenAI's own models: what Codex keeps of a tool's output. */
const TOOL_OUTPUT_TOKENS = 10_000;

function defaultOf<Level extends { readonly effort: Effort }>(levels: readonly Level[]): Level | undefined {
  return levels.find(({ effort }) => effort === 'medium') ?? levels.at(-1);
}

/** It works with tools, in text. */
function canWorkInCodex(model: Model): boolean {
  const { supportedParameters, outputModalities } = model;
  return outputModalities.includes('text') && (supportedParameters.length === 0 || takes(model, 'tools'));
}

function takes({ supportedParameters }: Model, parameter: string): boolean {
  return supportedParameters.includes(parameter);
}
