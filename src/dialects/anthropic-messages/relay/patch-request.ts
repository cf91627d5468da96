/**
 * Edits a Messages request for a provider that speaks the same format: the caller's bytes with the model's name replaced, the output cap if
 * the gateway lowers it, and without the thoughts of other vendors that this gateway tagged and what says where it may be served. No other byte changes, because signatures and
 * prompt caches are bound to them.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { assert } from '../../../core/assert.ts';
import { type Edit, removeFields, replaceValue, spliceParts } from '../../../wire/json-splice.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PatchedRequest, RequestEdits } from '../../interface/request-edits.ts';
import { FOREIGN_THOUGHTS } from '../../kit/answer/left-out-thoughts.ts';
import { nameEdit, routingFields } from '../../kit/relay/routing-fields.ts';
import { LEFT_OFF } from '../../kit/request/claude-thinking.ts';
import { type Cloud, clouds } from '../clouds.ts';
import type { Quirks } from '../quirks.ts';
import { type CloudEdits, cloudEdits, cloudHeaders } from './cloud-edits.ts';
import { foreignThoughts } from './foreign-thoughts.ts';
import { thoughtlessLoopEdits } from './open-loop.ts';

/** The body and the headers for the provider; no credential, and only those of the caller's headers that are listed below. */
export function patchRequest(inbound: Inbound, peek: Peek, edits: RequestEdits<Quirks>): PatchedRequest {
  const { bytes, fields } = inbound.document;
  const { cloud } = edits.quirks;
  const ofCloud = cloud === undefined ? null : patchForCloud(inbound, edits, clouds[cloud]);
  const splices: Edit[] =
    ofCloud === null ? [...removeFields(inbound.document, routingFields(inbound.document))] : [...ofCloud.edits];
  const named = ofCloud === null ? nameEdit(inbound.document, peek.model, edits.model) : null;
  if (named !== null) splices.push(named);
  if (edits.outputCap !== null) {
    const cap = fields.get('max_tokens');
    assert(cap !== undefined, 'a peeked request has an output cap');
    splices.push(replaceValue(cap, String(edits.outputCap)));
  }
  const removals = foreignThoughts(inbound.document);
  const loop = removals.length === 0 ? NO_EDITS : thoughtlessLoopEdits(inbound.document, removals);
  for (const edit of removals) splices.push(edit);
  for (const edit of loop) splices.push(edit);
  if (splices.length > 1) splices.sort((left, right) => left.start - right.start);
  const body = spliceParts(bytes, splices);
  if (ofCloud !== null) {
    const warnings = removals.length === 0 ? ofCloud.warnings : [...ofCloud.warnings, ...warningsOf(loop)];
    return { headers: cloudHeaders(ofCloud.betaHeader), body, warnings };
  }
  const patched = { headers: outboundHeaders(inbound.headers, peek.stream), body };
  return removals.length === 0 ? patched : { ...patched, warnings: warningsOf(loop) };
}

const NO_EDITS: readonly Edit[] = [];

function warningsOf(loop: readonly Edit[]): readonly string[] {
  return loop.length === 0 ? [FOREIGN_THOUGHTS] : [FOREIGN_THOUGHTS, LEFT_OFF];
}

/** The model is in the path, except where tokens are counted. */
function patchForCloud({ document, headers }: Inbound, edits: RequestEdits<Quirks>, cloud: Cloud): CloudEdits {
  const counted = edits.operation === 'count_tokens' ? edits.model : null;
  return cloudEdits(document, cloud, joined(headers['anthropic-beta']), counted);
}

/** The version for a caller that sends no `anthropic-version`: https://docs.anthropic.com/en/api/versioning */
const DEFAULT_VERSION = '2023-06-01';

/**
 * Claude Code's headers about a session and, if enabled, about a request. Listed by name: its editor extensions send a secret as
 * `x-claude-code-ide-authorization`. https://code.claude.com/docs/en/llm-gateway-protocol
 */
const CLAUDE_CODE_HEADERS = [
  'x-claude-code-session-id',
  'x-claude-code-agent-id',
  'x-claude-code-parent-agent-id',
  'x-claude-code-request-class',
  'x-claude-code-agent-type',
  'x-claude-code-compaction',
  'x-claude-code-context-compacted',
  'x-claude-code-prev-tool-durations',
  'x-claude-code-prompt-id',
];

/**
 * A closed list of names, no prefixes: `anthropic-workspace-id`, a user profile, cookies and future headers could act for the operator's
 * account at the provider.
 */
function outboundHeaders(inbound: IncomingHttpHeaders, stream: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'anthropic-version': joined(inbound['anthropic-version']) || DEFAULT_VERSION,
  };
  const beta = joined(inbound['anthropic-beta']);
  if (beta !== '') headers['anthropic-beta'] = beta;
  for (const name of CLAUDE_CODE_HEADERS) {
    const value = inbound[name];
    if (value !== undefined) headers[name] = joined(value);
  }
  return headers;
}

/** Several lines of one header mean the same as one line with commas. */
function joined(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}
