/** Models of other vendors at clouds: which of the catalogue's models they are. */
import { NOTHING_SAID, type Offer } from './offer.ts';

/**
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0` and `claude-sonnet-4-5@20250929` → `anthropic/claude-sonnet-4-5-20250929`. Null for
 * names that do not say which model it is.
 */
export function idAtCloud({ provider, upstreamModel }: Pick<Offer, 'provider' | 'upstreamModel'>): string | null {
  if (provider === 'vertex') {
    if (upstreamModel.startsWith('claude-')) return `anthropic/${upstreamModel.replace('@', '-')}`;
    return upstreamModel.startsWith('gemini-') ? `google/${upstreamModel}` : null;
  }
  const [, vendor, name = ''] = /^(?:[a-z-]+\.)?(anthropic|amazon)\.(.+)$/.exec(upstreamModel) ?? [];
  if (vendor === 'anthropic') return `anthropic/${name.replace(/-v\d+(:\d+)?$/, '')}`;
  return vendor === 'amazon' ? `amazon/${name.replace(/:\d+$/, '')}` : null;
}

/** Without an undated name where the same model has a dated one, and without what the vendor's own entry says about the model. */
export function cloudOffers<One extends Offer>(offers: readonly One[]): One[] {
  const hasDated = (offer: One) =>
    offers.some(({ upstreamModel }) => upstreamModel.startsWith(`${offer.upstreamModel}@`));
  return offers
    .filter((offer) => !hasDated(offer))
    .map((offer) => ({ ...offer, supportedParameters: [], abilities: NOTHING_SAID }));
}
