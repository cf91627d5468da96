import type { ReactElement, ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { ErrorState, LinkButton } from '../../components/index.ts';
import { Frame } from './frame.tsx';
import { type Link, type LinkToken, useLinkToken } from './use-link-token.ts';

export interface LinkGateProps {
  readonly purpose: Link['purpose'];
  /** What to do when the link is invalid. */
  readonly otherwise: string;
  readonly children: (token: string, link: Link) => ReactNode;
}

/** Shows a page only for a valid link, and an error otherwise. */
export function LinkGate({ purpose, otherwise, children }: LinkGateProps): ReactElement | null {
  const { token, link }: LinkToken = useLinkToken();
  if (token !== '' && link.isPending) return null;
  if (token !== '' && link.data?.purpose === purpose) return <>{children(token, link.data)}</>;
  const isServers = link.error instanceof ApiError && (link.error.status === 0 || link.error.status >= 500);
  if (isServers) return <ErrorState error={link.error} retry={() => void link.refetch()} />;
  return (
    <Frame
      title="This link is invalid or has expired"
      description={`It may have been used already, or is incomplete. ${otherwise}`}
    >
      <LinkButton href="/sign-in">Go to sign in</LinkButton>
    </Frame>
  );
}
