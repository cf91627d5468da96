import type { ReactElement, ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { ErrorState, LinkButton } from '../../components/index.ts';
import { Frame } from './frame.tsx';
import { type Link, type LinkToken, useLinkToken } from './use-link-token.ts';

export interface LinkGateProps {
  readonly purpose: Link['purpose'];
  /** What to do when the link is not good: who gives a new one. */
  readonly otherwise: string;
  readonly children: (token: string, link: Link) => ReactNode;
}

/** Shows a page only for a link that is good, and says so when it is not. */
export function LinkGate({ purpose, otherwise, children }: LinkGateProps): ReactElement | null {
  const { token, link }: LinkToken = useLinkToken();
  if (token !== '' && link.isPending) return null;
  if (token !== '' && link.data?.purpose === purpose) return <>{children(token, link.data)}</>;
  const isServers = link.error instanceof ApiError && (link.error.status === 0 || link.error.status >= 500);
  if (isServers) return <ErrorState error={link.error} retry={() => void link.refetch()} />;
  return (
    <Frame title="This link is not good" description={`It was used, is too old, or is incomplete. ${otherwise}`}>
      <LinkButton href="/sign-in">To the sign-in page</LinkButton>
    </Frame>
  );
}
