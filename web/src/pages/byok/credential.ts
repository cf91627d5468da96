/** An own credential in the management API, and the words for its policy. */
import type { Answer } from '../../api/client.ts';

export type OwnCredential = Answer<'listOwnCredentials'>['data'][number];
export type OwnProvider = Answer<'listOwnProviders'>['data'][number];

/** `use` and `fallback` as one choice. */
export type Policy = 'only' | 'first' | 'fallback';

export const POLICIES: readonly { readonly value: Policy; readonly label: string }[] = [
  { value: 'first', label: 'First, without fallback' },
  { value: 'fallback', label: 'First, then the operator’s if it fails' },
  { value: 'only', label: 'Only: never the operator’s' },
];

export function policyOf({ use, fallback }: Pick<OwnCredential, 'use' | 'fallback'>): Policy {
  return use === 'only' ? 'only' : fallback ? 'fallback' : 'first';
}

export function policyBody(policy: Policy): { readonly use: 'first' | 'only'; readonly fallback: boolean } {
  return { use: policy === 'only' ? 'only' : 'first', fallback: policy === 'fallback' };
}

export const POLICY_WORDS: Readonly<Record<Policy, string>> = {
  first: 'first',
  fallback: 'first, with fallback',
  only: 'only',
};
