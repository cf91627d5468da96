import type { TextBlock } from '../../../chat/request.ts';

/**
 * Claude Code's billing line for Anthropic's servers: it differs from call to call, so elsewhere it would only defeat the prompt cache.
 * https://code.claude.com/docs/en/llm-gateway
 */
export function withoutAttribution(system: readonly TextBlock[]): readonly TextBlock[] {
  return system[0]?.text.startsWith('x-anthropic-billing-header:') ? system.slice(1) : system;
}
