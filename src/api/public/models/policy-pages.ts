/** Where vendors publish their policies and the state of their service. The contract that the operator has with one may differ from them. */
import { findProviderKind } from '../../../providers/index.ts';
import type { Provider } from '../../../providers/provider.ts';

/** URLs; null if not known. */
export interface PolicyPages {
  readonly privacy: string | null;
  readonly terms: string | null;
  readonly status: string | null;
}

const UNKNOWN: PolicyPages = { privacy: null, terms: null, status: null };

/** By kind. */
const PAGES: Readonly<Record<string, PolicyPages>> = {
  openai: {
    privacy: 'https://openai.com/policies/privacy-policy/',
    terms: 'https://openai.com/policies/services-agreement/',
    status: 'https://status.openai.com',
  },
  anthropic: {
    privacy: 'https://www.anthropic.com/legal/privacy',
    terms: 'https://www.anthropic.com/legal/commercial-terms',
    status: 'https://status.anthropic.com',
  },
  google: {
    privacy: 'https://policies.google.com/privacy',
    terms: 'https://ai.google.dev/gemini-api/terms',
    status: 'https://aistudio.google.com/status',
  },
  vertex: {
    privacy: 'https://cloud.google.com/terms/cloud-privacy-notice',
    terms: 'https://cloud.google.com/terms',
    status: 'https://status.cloud.google.com',
  },
  azure: { privacy: 'https://privacy.microsoft.com/privacystatement', terms: null, status: 'https://status.azure.com' },
  bedrock: {
    privacy: 'https://aws.amazon.com/privacy/',
    terms: 'https://aws.amazon.com/service-terms/',
    status: 'https://health.aws.amazon.com/health/status',
  },
  openrouter: {
    privacy: 'https://openrouter.ai/privacy',
    terms: 'https://openrouter.ai/terms',
    status: 'https://status.openrouter.ai',
  },
  groq: {
    privacy: 'https://groq.com/privacy-policy',
    terms: 'https://groq.com/terms-of-use',
    status: 'https://groqstatus.com',
  },
  mistral: { privacy: null, terms: null, status: 'https://status.mistral.ai' },
  deepseek: { privacy: null, terms: null, status: 'https://status.deepseek.com' },
  xai: {
    privacy: 'https://x.ai/legal/privacy-policy',
    terms: 'https://x.ai/legal/terms-of-service-enterprise',
    status: 'https://status.x.ai',
  },
};

/** All null for a service of the operator's own, and for one that is called at another address than its vendor's. */
export function policyPagesOf({ kind, origin }: Pick<Provider, 'kind' | 'origin'>): PolicyPages {
  const usual = findProviderKind(kind)?.origin ?? null;
  const isElsewhere = usual !== null && !usual.includes('{') && usual !== origin;
  return isElsewhere ? UNKNOWN : (PAGES[kind] ?? UNKNOWN);
}
