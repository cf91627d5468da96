/**
 * What the tables still list although no call reaches it: other names of models whose dated name is
 * past its date in the same tables, names the vendor has taken back, and names a table made up.
 * A model may leave this list when its vendor serves it again.
 */
const withdrawn: Readonly<Record<string, readonly RegExp[]>> = {
  anthropic: [
    // Undated names of snapshots retired on 2026-05-14 and 2026-08-05, and LiteLLM's own spelling of the former.
    /^claude-(opus|sonnet)-4-0$/,
    /^claude-4-(opus|sonnet)-/,
    /^claude-opus-4-1$/,
  ],
  // https://platform.openai.com/docs/deprecations
  openai: [/^gpt-4-(turbo-preview|32k)/, /^codex-mini-latest$/, /^container$/, /^text-embedding-ada-002-v2$/],
  google: [/^gemini-exp-/, /^gemini-gemma-/, /^learnlm-/, /-preview-0[0-9]-2025$/],
  mistral: [/^mistral-(tiny|small|medium)$/, /^open-/, /-(23|24)\d\d$/, /mamba/],
  // The chat names ended on 2026-07-24: https://api-docs.deepseek.com; the others were never names of its interface.
  deepseek: [/^deepseek-(chat|reasoner|coder|r1|v3)/],
  // Everything before grok-4.20 is past its date, under this name or another.
  // https://docs.cohere.com/docs/deprecations; of the light one LiteLLM has a price per thousand tokens.
  cohere: [/^command(-light|-r|-r-plus)?$/, /^embed-.+-v2\.0$/, /^embed-multilingual-light/],
  ai21: [/^jamba-1\.5/],
  // Both are called highspeed since M2.7: https://platform.minimax.io/docs/guides/models-intro
  minimax: [/-lightning$/],
  voyage: [/^voyage-lite-0/],
  // https://platform.stepfun.ai/docs/en/guides/model-migration
  stepfun: [/^step-[12]-/],
  xai: [/^grok-(2|3|4)(-|$)/, /^grok-(beta|vision|code)/, /-beta-/],
};

export function isWithdrawn(provider: string, upstreamModel: string): boolean {
  return withdrawn[provider]?.some((pattern) => pattern.test(upstreamModel)) ?? false;
}
