/** Models of the Messages API that always think: they refuse `{"type":"disabled"}` and a choice that forces a tool. */

/**
 * By name, since none of the tables that the catalogue is made from says it:
 * https://platform.claude.com/docs/en/models/fable-5-1/migration-guide
 */
export function alwaysThinks(upstreamModel: string): boolean {
  return FAMILIES.test(upstreamModel);
}

const FAMILIES = /\bclaude-(fable|mythos)-/;
