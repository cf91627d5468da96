import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ErrorState, SkeletonLines } from '../../components/index.ts';
import { type Document, fetchDocument } from './document.ts';
import { DocumentPage } from './document-page.tsx';

/** Every route of this installation, from its own `/openapi.json`. No sign-in needed. */
export function ApiExplorer(): ReactElement {
  const document = useQuery<Document, Error>({
    queryKey: ['openapi.json'],
    queryFn: ({ signal }) => fetchDocument(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (document.data !== undefined) return <DocumentPage document={document.data} />;
  if (document.error === null) return <SkeletonLines lines={8} />;
  return (
    <ErrorState
      error={document.error}
      title="The description of the API could not be read."
      retry={() => void document.refetch()}
    />
  );
}
