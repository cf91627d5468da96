import type { ReactElement } from 'react';
import type { Key } from '../../api/types.ts';
import { Note, Time } from '../../components/index.ts';

/** Why a key is not simply good; nothing when it is. */
export function KeyState({ row }: { readonly row: Key }): ReactElement | null {
  switch (row.status) {
    case 'retiring':
      return (
        <Note tone="warn">
          This secret was replaced. It is refused <Ends at={row.retiring_at} />.
        </Note>
      );
    case 'revoked':
      return (
        <Note tone="bad">
          Revoked <Time at={row.revoked_at} />. Calls with it are refused, for good.
        </Note>
      );
    case 'expired':
      return (
        <Note tone="neutral">
          Expired <Time at={row.expires_at} />. A later time brings it back.
        </Note>
      );
    case 'disabled':
      return <Note tone="neutral">Disabled. Calls with it are refused until it is enabled again.</Note>;
    case 'archived':
      return <Note tone="neutral">Its project {row.project.name} is archived. Calls with it are refused.</Note>;
    default:
      return null;
  }
}

function Ends({ at }: { readonly at: string | null }): ReactElement {
  return at === null ? <>soon</> : <Time at={at} />;
}
