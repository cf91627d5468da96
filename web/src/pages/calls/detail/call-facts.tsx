import type { ReactElement } from 'react';
import { CopyButton, Facts, Link } from '../../../components/index.ts';
import { formatBytes } from '../../../format/bytes.ts';
import type { WholeCall } from './whole-call.ts';

/** Who made the request, in which format, and its IDs elsewhere. */
export function CallFacts({ call }: { readonly call: WholeCall }): ReactElement {
  return (
    <Facts
      facts={[
        ['Generation ID', <Id key="id" text={call.id} label="Copy generation ID" />],
        ['Request ID', <Id key="request" text={call.request_id} label="Copy request ID" />],
        [
          'Provider’s ID',
          call.upstream_id === null ? undefined : <Id key="up" text={call.upstream_id} label="Copy provider’s ID" />,
        ],
        ['Model', <Id key="model" text={call.model} label="Copy model ID" />],
        ['Provider', call.provider],
        ['Node', call.node ?? undefined],
        [
          'API key',
          <Link key="key" href={`/keys/${call.key.id}`}>
            {call.key.name}
          </Link>,
        ],
        [
          'Project',
          <Link key="project" href={`/usage?project=${call.project.id}`}>
            {call.project.name}
          </Link>,
        ],
        ['Requested model', call.asked_model ?? undefined],
        ['API format', call.dialect ?? undefined],
        [
          'Provider format',
          call.upstream_dialect === null || call.upstream_dialect === call.dialect ? undefined : call.upstream_dialect,
        ],
        ['Finish reason', call.finish_reason ?? undefined],
        ['User', call.user === null ? undefined : filtered('user', call.user)],
        ['App', call.app === null ? undefined : filtered('app', call.app)],
        ['App URL', call.referer ?? undefined],
        ['Metadata', metadataOf(call)],
        ['Labels', call.labels_cut ? 'Truncated: the client sent more than is stored' : undefined],
        ['Size', sizeOf(call)],
      ]}
    />
  );
}

function sizeOf({ request_bytes: request, response_bytes: response }: WholeCall): string | undefined {
  if (request === null || response === null) return undefined;
  return `${formatBytes(request)} request, ${formatBytes(response)} response`;
}

function metadataOf({ metadata }: WholeCall): ReactElement | undefined {
  const pairs = Object.entries(metadata).map(([name, value]) => `${name}:${value}`);
  if (pairs.length === 0) return undefined;
  return (
    <ul>
      {pairs.map((pair) => (
        <li key={pair}>{filtered('metadata', pair)}</li>
      ))}
    </ul>
  );
}

/** A label sent by the client; links to the requests with the same label. */
function filtered(name: 'user' | 'app' | 'metadata', value: string): ReactElement {
  return (
    <Link key={name} href={`/calls?${name}=${encodeURIComponent(value)}`}>
      {value}
    </Link>
  );
}

function Id({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  return (
    <span className="-my-1 inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 font-mono text-xs break-all">{text}</span>
      <CopyButton text={text} label={label} size="small" />
    </span>
  );
}
