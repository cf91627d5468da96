import type { ReactElement } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { CopyButton, PageHeader } from '../../../components/index.ts';
import { CallView } from './call-view.tsx';

export default function CallPage({
  params,
}: {
  readonly params: Readonly<Record<string, string | undefined>>;
}): ReactElement {
  const id = decoded(params['id'] ?? '');
  const { data } = useApi('readCall', { params: { call: id } });
  return (
    <>
      <PageHeader
        back={{ href: '/calls', label: 'Requests' }}
        title={data?.data.model ?? 'Request'}
        description={
          <span className="inline-flex max-w-full items-center gap-1 font-mono text-sm">
            <span className="min-w-0 break-all">{id}</span>
            <CopyButton
              text={id}
              label={id.startsWith('req_') ? 'Copy request ID' : 'Copy generation ID'}
              size="small"
            />
          </span>
        }
      />
      <CallView id={id} />
    </>
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
