import { type ReactElement, useState } from 'react';
import type { Key } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Checkbox, ConfirmDialog, notify } from '../../components/index.ts';
import { forgetKey } from '../connect/fresh-key.ts';

/** For good; whoever does it types the name. */
export function RevokeKeyDialog({ row, onClose }: { readonly row: Key; readonly onClose: () => void }): ReactElement {
  const revoke = useChange('revokeKey');
  const [cuts, setCuts] = useState(false);
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
          { params: { key: row.id }, query: { now: cuts ? 'true' : 'false' } },
          {
            onSuccess: () => {
              forgetKey(row.id);
              notify({
                title: `${row.name} is revoked.`,
                description: 'Calls with it are refused from now on.',
                kind: 'good',
              });
              onClose();
            },
          },
        )
      }
    >
      <p className="mb-3">
        New calls with it are refused at once. This cannot be undone. What it did stays in the reports.
      </p>
      <div className="text-text">
        <Checkbox
          checked={cuts}
          onChange={setCuts}
          label="Cut the calls that run now"
          hint="Without this they go on to their end."
        />
      </div>
    </ConfirmDialog>
  );
}
