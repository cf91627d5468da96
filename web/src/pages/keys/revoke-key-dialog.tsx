import { type ReactElement, useState } from 'react';
import type { Key } from '../../api/types.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Checkbox, ConfirmDialog, leftWords, MadeList, notify } from '../../components/index.ts';
import { forgetKey } from '../connect/fresh-key.ts';
import { earlierWords } from './key-words.ts';

/** Permanent, so the name has to be typed. */
export function RevokeKeyDialog({ row, onClose }: { readonly row: Key; readonly onClose: () => void }): ReactElement {
  const revoke = useChange('revokeKey');
  const [cuts, setCuts] = useState(false);
  const [goes, setGoes] = useState(false);
  const isManagement = row.kind === 'management';
  const open = useApi(
    'listAccountBatches',
    { query: { key: String(row.id), status: 'open', limit: 200 } },
    { enabled: !isManagement },
  );
  const batches = open.data?.data.length ?? 0;
  const made = useApi('readKeyMade', { params: { key: String(row.id) } }, { enabled: isManagement });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke ${row.name}?`}
      action="Revoke key"
      name={row.name}
      loading={revoke.isPending}
      error={revoke.error}
      onConfirm={() =>
        revoke.mutate(
          { params: { key: row.id }, query: { now: cuts ? 'true' : 'false', with_made: goes ? 'true' : 'false' } },
          {
            onSuccess: (answer) => {
              forgetKey(row.id);
              notify({
                title: `${row.name} revoked`,
                description: `${leftWords(answer.made?.keys_left_count ?? 0) ?? 'Requests with it are now rejected.'}${earlierWords(answer.predecessors)}`,
                kind: 'good',
              });
              onClose();
            },
          },
        )
      }
    >
      <p className="mb-3">
        {isManagement ? 'It stops working' : 'New requests with it are rejected'} immediately. This cannot be undone.
        Its past usage stays in reports.
      </p>
      {batches > 0 && (
        <p className="mb-3">
          {batches === 1 ? '1 batch of it has' : `${batches} batches of it have`} not ended: lines that have not run
          will fail with 401.
        </p>
      )}
      {isManagement ? (
        <MadeList made={made} by="this key" goes={goes} onChange={setGoes} />
      ) : (
        <div className="text-text">
          <Checkbox
            checked={cuts}
            onChange={setCuts}
            label="Also cut off running requests"
            hint="Otherwise they finish normally."
          />
        </div>
      )}
    </ConfirmDialog>
  );
}
