/**
 * The edits of a relayed request for a cloud that serves Claude itself: `anthropic_version` replaces the model; betas that are unknown there
 * are left out, and so are fields that it refuses although an answer hardly depends on them.
 */
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { type Edit, removeField, removeFields } from '../../../wire/json-splice.ts';
import { placeOfName, routingFields } from '../../kit/relay/routing-fields.ts';
import type { Cloud } from '../clouds.ts';

export interface CloudEdits {
  /** Not sorted. */
  readonly edits: readonly Edit[];
  /** The value of `anthropic-beta`; null without the header. */
  readonly betaHeader: string | null;
  readonly warnings: readonly string[];
}

/** `betas`: the value of the caller's header. `model`: kept in the body if not null, as where tokens are counted. */
export function cloudEdits(document: JsonDocument, cloud: Cloud, betas: string, model: string | null): CloudEdits {
  const { known, unknown } = sortBetas(betas, cloud);
  const warnings = unknown.length === 0 ? [] : [`this provider does not have ${listed(unknown)}: left out`];
  const nested = refusedInside(document);
  const eager = nested.filter(({ path }) => path.endsWith(EAGER));
  if (eager.length > 0) {
    if (cloud.eagerBeta !== null) known.body.add(cloud.eagerBeta);
    else warnings.push(`this provider does not have ${EAGER}: left out`);
  }
  if (nested.length > eager.length)
    warnings.push('this provider does not share prompt caches: their scope was left out');
  const surplus = ['anthropic_version', 'anthropic_beta', ...(cloud.streamsByPath ? ['stream'] : [])];
  const removed = surplus.flatMap((name) => document.fields.get(name) ?? []);
  return {
    edits: [
      inPlaceOfModel(document, headOf(cloud, known.body, model)),
      ...removeFields(document, [...removed, ...routingFields(document)]),
      // Each is in an object of its own.
      ...nested.map((field) => removeField(document, field)),
    ],
    betaHeader: known.header.size === 0 ? null : [...known.header].join(','),
    warnings,
  };
}

/** The version is in the body. */
export function cloudHeaders(betaHeader: string | null): Record<string, string> {
  return { 'content-type': 'application/json', ...(betaHeader !== null && { 'anthropic-beta': betaHeader }) };
}

interface SortedBetas {
  readonly known: { readonly header: Set<string>; readonly body: Set<string> };
  readonly unknown: readonly string[];
}

function sortBetas(betas: string, cloud: Cloud): SortedBetas {
  const known = { header: new Set<string>(), body: new Set<string>() };
  const unknown = new Set<string>();
  for (const name of betas.split(',').map((part) => part.trim())) {
    const beta = cloud.betas.get(name);
    if (beta !== undefined) known[beta.at].add(beta.name);
    else if (name !== '') unknown.add(name);
  }
  return { known, unknown: [...unknown] };
}

/** Names are the caller's, so only a few, and only what a header may have. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).map((name) => (/^[\w.-]{1,64}$/.test(name) ? name : 'a beta'));
  const rest = names.length - shown.length;
  return `the beta ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const NAMES_MAX = 8;

/** The field that stands where the model was: at the top, and there in every request. */
function headOf({ version }: Cloud, betas: ReadonlySet<string>, model: string | null): string {
  const fields = [`"anthropic_version":"${version}"`];
  if (betas.size > 0) fields.push(`"anthropic_beta":${JSON.stringify([...betas])}`);
  if (model !== null) fields.push(`"model":${JSON.stringify(model)}`);
  return fields.join(',');
}

function inPlaceOfModel(document: JsonDocument, text: string): Edit {
  const { keyStart, valueEnd } = placeOfName(document);
  return { start: keyStart, end: valueEnd, insert: Buffer.from(text) };
}

const EAGER = 'eager_input_streaming';
const SCOPE = 'scope';
const REFUSED: ReadonlySet<string> = new Set([EAGER, SCOPE]);
const REFUSED_BYTES = [...REFUSED].map((name) => Buffer.from(`"${name}"`));
const PLACES = /^(tools\[\]\.eager_input_streaming|(system|tools|messages)\b.*\.cache_control\.scope)$/;

/** Fields that these clouds refuse, wherever they occur. Nearly every body has none, which a search shows. */
function refusedInside({ bytes }: JsonDocument): readonly WatchedField[] {
  if (!REFUSED_BYTES.some((name) => bytes.includes(name))) return NONE;
  return scanJson(bytes, { watchedKeys: REFUSED }).watched.filter(({ path }) => PLACES.test(path));
}

const NONE: readonly WatchedField[] = [];
