import type { ReactElement } from 'react';
import { useClosedAt } from '../api/session.ts';
import { Note, Time } from '../components/index.ts';

/** Above every page of a closed account, which is read-only. */
export function ClosedNote(): ReactElement | null {
  const closedAt = useClosedAt();
  if (closedAt === null) return null;
  return (
    <div className="mb-6">
      <Note tone="warn">
        This account was closed on <Time at={closedAt} as="whole" />. Its API keys are revoked; requests, transactions
        and reports stay available.
      </Note>
    </div>
  );
}
