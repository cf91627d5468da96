/**
 * The input of a translated call's bound: the request as written for the provider. A translation adds to the request (results
 * for calls without one, schemas of custom tools, sentences instead of fields), so the caller's own bytes are not enough.
 */
import type { BoundRequest } from '../../billing/bound.ts';
import { largestMedia } from '../../chat/largest-media.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { ProviderDialect } from '../../dialects/dialect.ts';
import type { WrittenRequest } from '../../dialects/interface/write-target.ts';
import { type InlineMedia, NO_MEDIA } from '../../dialects/kit/media/inline-media.ts';
import { DEPTH_MAX, JsonScan } from '../../wire/json-scan.ts';
import { normalisedGrowth } from '../../wire/normalised-growth.ts';

/**
 * `asked` is the caller's request, `request` the same in the neutral form, `written` what is sent, in the format of `dialect`.
 */
export function writtenBound(
  asked: BoundRequest,
  request: ChatRequest,
  written: Pick<WrittenRequest, 'outputCap'> & { readonly body: Buffer },
  dialect: ProviderDialect,
): BoundRequest {
  const serverToolUses = asked.translatedToolUses ?? asked.serverToolUses;
  const media = largestMedia(request) === 0 ? NO_MEDIA : mediaOf(written.body, dialect);
  return {
    // Only a cap that the caller did not set may be lowered, so null must be kept.
    outputCap: asked.outputCap === null ? null : written.outputCap,
    choices: asked.choices,
    hasTools: request.tools.length > 0,
    namedTools: 0,
    hasFormat: request.format !== null,
    promptUnbounded: !media.isBounded || serverToolUses !== 0 || asked.searchField !== null || asked.compacts,
    serverToolUses,
    ...(asked.serverTools !== undefined && { serverTools: asked.serverTools }),
    searchField: asked.searchField,
    compacts: asked.compacts,
    media,
    bodyBytes: written.body.length,
    // What a translation adds is ordinary JSON, which has more bytes than tokens.
    values: asked.values,
    growth: normalisedGrowth(written.body),
    // No other format supports it.
    predictedTokens: 0,
  };
}

/** Arguments in a string become objects, which may be nested as deep again as the body around them. */
const WRITTEN_DEPTH_MAX = 2 * DEPTH_MAX;

/** If a format cannot find its own media, they are unbounded. */
function mediaOf(body: Buffer, { inlineMedia }: ProviderDialect): InlineMedia {
  if (inlineMedia === undefined) return { ...NO_MEDIA, isBounded: false };
  const scan = new JsonScan({ depthMax: WRITTEN_DEPTH_MAX, watchedKeys: inlineMedia.keys });
  return inlineMedia.read(scan.finish(body, body.length));
}
