import type { ReactElement } from 'react';
import type { Key } from '../../api/types.ts';
import { Note, Time } from '../../components/index.ts';

/** Why a key is not active; nothing when it is. */
export function KeyState({ row }: { readonly row: Key }): ReactElement | null {
  switch (row.status) {
    case 'retiring':
      return (
        <Note tone="warn">
          This secret was rotated out. It stops working <Ends at={row.retiring_at} />.
        </Note>
      );
    case 'revoked':
      return (
        <Note tone="bad">
          Revoked <Time at={row.revoked_at} />. Requests with it are rejected permanently.
        </Note>
      );
    case 'expired':
      return (
        <Note tone="neutral">
          Expired <Time at={row.expires_at} />. Set a later expiry to use it again.
        </Note>
      );
    case 'disabled':
      return <Note tone="neutral">Disabled. Requests with it are rejected until it is enabled again.</Note>;
    case 'archived':
      return (
        <Note tone="neutral">Its project {row.project.name} is archived. Requests with this key are rejected.</Note>
      );
    default:
      return null;
  }
}

function Ends({ at }: { readonly at: string | null }): ReactElement {
  return at === null ? <>soon</> : <Time at={at} />;
}
