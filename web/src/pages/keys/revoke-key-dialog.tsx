import { type ReactElement, useState } from 'react';
import type { Key } from '../../api/types.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Checkbox, ConfirmDialog, leftWords, MadeList, notify } from '../../components/index.ts';
import { forgetKey } from '../connect/fresh-key.ts';
import { earlierWords } from './key-words.ts';

/** For good; whoever does it types the name. */
export function RevokeKeyDialog({ row, onClose }: { readonly row: Key; readonly onClose: () => void }): ReactElement {
  const revoke = useChange('revokeKey');
  const [cuts, setCuts] = useState(false);
  const [goes, setGoes] = useState(false);
  const isManagement = row.kind === 'management';
  const made = useApi('readKeyMade', { params: { key: String(row.id) } }, { enabled: isManagement });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke ${row.name}?`}
      action="Revoke"
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
                title: `${row.name} is revoked.`,
                description: `${leftWords(answer.made?.keys_left_count ?? 0) ?? 'It is refused from now on.'}${earlierWords(answer.predecessors)}`,
                kind: 'good',
              });
              onClose();
            },
          },
        )
      }
    >
      <p className="mb-3">
        {isManagement ? 'It manages nothing' : 'New calls with it are refused'} from now on. This cannot be undone. What
        it did stays in the reports.
      </p>
      {isManagement ? (
        <MadeList made={made} by="this key" goes={goes} onChange={setGoes} />
      ) : (
        <div className="text-text">
          <Checkbox
            checked={cuts}
            onChange={setCuts}
            label="Cut the calls that run now"
            hint="Without this they go on to their end."
          />
        </div>
      )}
    </ConfirmDialog>
  );
}
