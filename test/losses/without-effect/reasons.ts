/** Reasons that several formats have for it. */
import type { Silence } from '../silent-requests.ts';

export const CACHES =
  'the provider caches by itself, or has no place for a mark there; it changes the price and not the answer';
export const MODEL = 'it chooses the model here; the provider gets its own name for it';
export const ROUTE = 'they choose where the call is served';
export const RECORD = 'it is kept on the record of the call';
export const DEFAULT = 'this is what happens anyway';
export const NOT_SHOWN = 'a tool that may not be called is not shown to the model';
export const NO_TOOLS = 'there is nothing to choose from';
export const SNIFFED = 'the data shows what it is';
export const NAME_OF_SCHEMA = 'the format has no name for a schema';
export const ALWAYS_STRICT = 'the format has schemas that are enforced, or none';
export const KIND = 'it only names the kind of what contains it, as other fields do';
export const ONCE = 'it says again what another field says';
export const IDENTITY = 'it names what the provider of an earlier answer made';
export const CACHING = /^(openai-responses|gemini|openai-chat|bedrock-converse)$/;
export const NAMELESS = /^(anthropic-messages|gemini|bedrock-converse)$/;

export const hasNoTools = ({ request }: Silence): boolean =>
  !Array.isArray(request['tools']) || request['tools'].length === 0;

export function isAllowedTools(choice: unknown): boolean {
  return /"allowed_tools"/.test(JSON.stringify(choice ?? ''));
}
