/** The wire formats this gateway speaks. To add one: its folder, and a line in `members`. */
import type { IncomingHttpHeaders } from 'node:http';
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import { bedrockConverse } from './bedrock-converse/bedrock-converse.ts';
import type { CallerDialect, ProviderDialect, RelayDialect } from './dialect.ts';
import { gemini } from './gemini/gemini.ts';
import { openaiChat } from './openai-chat/openai-chat.ts';
import { openaiResponses } from './openai-responses/openai-responses.ts';

/** In display order. */
const members = [openaiChat, anthropicMessages, openaiResponses, gemini, bedrockConverse] as const;

type Member = (typeof members)[number];

export type DialectName = Member['name'];
/** Those that callers may speak. */
export type CallerDialectName = Extract<Member, CallerDialect>['name'];
/** Those that we speak to providers. */
export type ProviderDialectName = Extract<Member, ProviderDialect>['name'];
/** Those that do both. */
export type RelayDialectName = Extract<Member, RelayDialect>['name'];

/** The quirks of servers and models that speak a dialect. */
export type QuirksOf<Name extends ProviderDialectName> =
  Extract<Member, { readonly name: Name }> extends ProviderDialect<Name, infer Quirks> ? Quirks : never;
/** The quirks that a provider or a model declares, by dialect; the others have the dialect's defaults. */
export type DeclaredQuirks = { readonly [Name in ProviderDialectName]?: Partial<QuirksOf<Name>> };

/** Any in the table. */
export type AnyCallerDialect = CallerDialect<CallerDialectName>;
export type AnyProviderDialect = ProviderDialect<ProviderDialectName>;
export type AnyRelayDialect = RelayDialect<RelayDialectName>;

export const callerDialects = byName<CallerDialectName, AnyCallerDialect>((member) => 'readRequest' in member);
export const providerDialects = byName<ProviderDialectName, AnyProviderDialect>((member) => 'writeRequest' in member);
export const providerDialectNames = Object.keys(providerDialects) as ProviderDialectName[];
export const relayDialects = byName<RelayDialectName, AnyRelayDialect>((member) => 'patchRequest' in member);

/** Formats that one operation of one dialect has at single providers. */
export { type OperationFormatName, operationFormats } from './openai-chat/operations/formats/index.ts';

/** Whether calls in this dialect can be relayed to a provider that speaks it too. */
export function isRelayDialect(dialect: AnyCallerDialect): dialect is AnyRelayDialect {
  return 'patchRequest' in dialect;
}

/** Used when it is not known what a client speaks. */
export const defaultCallerDialect: AnyCallerDialect = openaiChat;

/** The format of the client that sends these headers, if its requests show it; otherwise null. */
export function clientDialect(headers: IncomingHttpHeaders): AnyCallerDialect | null {
  return Object.values(callerDialects).find((dialect) => dialect.isClient?.(headers)) ?? null;
}

/** Those that an operator's own server may speak; the paths of the others are known only for each provider. */
export const serverDialects: readonly AnyProviderDialect[] = Object.values(providerDialects).filter(
  ({ usualPaths }) => usualPaths !== undefined,
);
export const serverDialectNames: readonly ProviderDialectName[] = serverDialects.map(({ name }) => name);

function byName<Name extends string, Role>(hasRole: (member: Member) => boolean): Readonly<Record<Name, Role>> {
  return Object.fromEntries(members.filter(hasRole).map((member) => [member.name, member])) as Record<Name, Role>;
}
