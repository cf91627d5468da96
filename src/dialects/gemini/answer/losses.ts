/**
 * Warnings about what is left out of an answer: because the neutral form cannot express it, or because this format cannot. What every answer
 * has and means nothing elsewhere (safety ratings, the model's version) is not reported.
 *
 * https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse
 */
import { quoteWord } from '../../../chat/warnings.ts';
import { asArray, asObject, type JsonObject } from '../../../core/json-object.ts';

/** Code that Google ran and its output, sounds, files, unknown parts. */
export function lossOfPart(part: JsonObject): string {
  const kind = Object.keys(part).find((name) => !ABOUT_PARTS.has(name));
  return `a part ${quoteWord(kind)} was left out of the answer`;
}

export const OTHER_CANDIDATES = 'only the first candidate of the answer was kept';
export const CITATION_WITHOUT_ADDRESS = 'a citation without a URL was left out of the answer';

export const PAUSED =
  'the provider paused its turn, which appears as a stop in this format; the answer may be incomplete';
export const CITATION_PLACE = 'a stream of this format cannot express where in its text a citation belongs';

export function lossesOfCandidate(candidate: JsonObject): readonly string[] {
  const losses = FIELDS.filter((name) => candidate[name] !== undefined && candidate[name] !== null).map(
    (name) => `the field "${name}" of the answer was left out`,
  );
  const grounding = asObject(candidate['groundingMetadata']) ?? {};
  for (const name of GROUNDING_FIELDS)
    if (isPresent(grounding[name])) losses.push(`the field "${name}" of the answer was left out`);
  // What is cited may be code, whose license its user must know.
  const sources = asArray(asObject(candidate['citationMetadata'])?.['citationSources']);
  if (sources.some((source) => asObject(source)?.['license']))
    losses.push('the license of a citation was left out of the answer');
  return losses;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

/** What grounding says besides its citations: https://ai.google.dev/api/generate-content#GroundingMetadata and Vertex AI's reference. */
const GROUNDING_FIELDS = [
  ...['searchEntryPoint', 'webSearchQueries', 'imageSearchQueries', 'retrievalQueries'],
  ...['retrievalMetadata', 'googleMapsWidgetContextToken'],
];
const FIELDS = ['logprobsResult', 'urlContextMetadata'];
const ABOUT_PARTS: ReadonlySet<string> = new Set([
  ...['thought', 'thoughtSignature', 'videoMetadata', 'partMetadata', 'mediaResolution'],
]);
