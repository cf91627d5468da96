import type { ReactElement } from 'react';
import { useQueryState, useQueryStates } from '../../navigation/use-query-state.ts';
import { Segments } from './segments.tsx';

const SHOWN: readonly string[] = ['', 'ok', 'failed', 'refused'];

/** Which requests are shown, by `?status=`; a single status is chosen in the filter dialog. */
export function StatusSegments(): ReactElement {
  const [status] = useQueryState('status');
  const [, change] = useQueryStates();
  return (
    <Segments
      label="Status"
      value={SHOWN.includes(status) ? status : 'other'}
      onChange={(next) => change({ status: next, request: null })}
      options={[
        { value: '', label: 'All' },
        { value: 'ok', label: 'OK' },
        { value: 'failed', label: 'Failed' },
        { value: 'refused', label: 'Refused' },
      ]}
    />
  );
}
