import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ErrorState, LinkButton, SkeletonLines } from '../../components/index.ts';
import { basePath } from '../../navigation/base-path.ts';
import { useTitle } from '../../navigation/use-title.ts';
import { Logo } from '../../shell/logo.tsx';
import { type Document, fetchDocument } from './document.ts';
import { DocumentPage } from './document-page.tsx';

/** `/docs`: the API of this installation, from its own `/openapi.json`. Nobody needs to be signed in. */
export default function DocsPage(): ReactElement {
  useTitle('API');
  const document = useQuery<Document, Error>({
    queryKey: ['openapi.json'],
    queryFn: ({ signal }) => fetchDocument(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="min-h-dvh">
      <header className="sticky top-0 z-30 flex h-12 items-center gap-2.5 border-b bg-canvas px-4 sm:px-6">
        <Logo />
        <p className="font-semibold tracking-tight">Turnpike</p>
        <div className="ml-auto flex items-center gap-2">
          <LinkButton href={`${basePath}/openapi.json`} download size="small" icon="download">
            openapi.json
          </LinkButton>
          <LinkButton href="/" size="small">
            Dashboard
          </LinkButton>
        </div>
      </header>
      {document.data !== undefined ? (
        <DocumentPage document={document.data} />
      ) : (
        <main className="mx-auto max-w-3xl px-4 py-12">
          <h1 className="mb-6 text-xl font-semibold tracking-tight">API</h1>
          {document.error === null ? (
            <SkeletonLines lines={8} />
          ) : (
            <ErrorState
              error={document.error}
              title="The description of the API could not be read."
              retry={() => void document.refetch()}
            />
          )}
        </main>
      )}
    </div>
  );
}
