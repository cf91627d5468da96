/** After a successful step: reloads the session and goes to the page the person wanted. */
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { sessionKey } from '../../api/session.ts';
import { forgetSessionEnd } from '../../api/session-end.ts';
import { pagePath } from '../../navigation/base-path.ts';
import { nextPath } from './next-path.ts';

export type SignInStatus = 'signed_in' | 'totp_required';

/** Resolves when the new session is known, so that the next page does not lead back here. */
export function useEntry(): (status: SignInStatus) => Promise<void> {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return async (status) => {
    // Cached data belongs to the previous session.
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
    await queryClient.invalidateQueries({ queryKey: sessionKey, refetchType: 'all' });
    if (status === 'signed_in') forgetSessionEnd();
    const next = nextPath(window.location.search);
    if (status === 'signed_in') return navigate(next, { replace: true });
    // A link that was followed to its end, but whose owner has a second factor: the rest is on the sign-in page.
    if (pagePath() !== '/sign-in') navigate('/sign-in', { replace: true });
  };
}
