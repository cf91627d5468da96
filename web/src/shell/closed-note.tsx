import type { ReactElement } from 'react';
import { useClosedAt } from '../api/session.ts';
import { Note, Time } from '../components/index.ts';

/** Over every page of an account that is closed: it can be read, and that is all. */
export function ClosedNote(): ReactElement | null {
  const closedAt = useClosedAt();
  if (closedAt === null) return null;
  return (
    <div className="mb-6">
      <Note tone="warn">
        This account is closed, since <Time at={closedAt} as="whole" />. Its calls, its ledger and its reports stay; its
        keys are revoked.
      </Note>
    </div>
  );
}
