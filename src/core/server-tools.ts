/**
 * Tools that a provider runs while it answers, as far as money is concerned. Their results are part of the prompt, which is read again
 * after each use. https://platform.openai.com/docs/pricing#built-in-tools
 */

/**
 * `web_search_preview` is the earlier version of `web_search`: its fee depends on the model, and some answers do not say which of the two
 * ran. `other`: known to run at the provider, and nothing more.
 */
export type ServerTool =
  | 'web_search'
  | 'web_search_preview'
  | 'file_search'
  | 'code_interpreter'
  | 'mcp'
  | 'image_generation'
  | 'other';

/** The lines of a price list that are fees for uses of tools. */
export type ToolFee = 'webSearch' | 'fileSearch' | 'codeInterpreter';

/**
 * The fee of a use besides its tokens: a line of the price list; `none`; or `unknown`, because it has no price list here (images are priced
 * as the output of another model).
 */
export function feeOf(tool: ServerTool): ToolFee | 'none' | 'unknown' {
  return FEES[tool];
}

const FEES: Readonly<Record<ServerTool, ToolFee | 'none' | 'unknown'>> = {
  web_search: 'webSearch',
  web_search_preview: 'unknown',
  file_search: 'fileSearch',
  code_interpreter: 'codeInterpreter',
  mcp: 'none',
  image_generation: 'unknown',
  other: 'unknown',
};

/** In formats whose requests do not say which tools may run. */
export const SEARCH_ONLY: readonly ServerTool[] = ['web_search'];
