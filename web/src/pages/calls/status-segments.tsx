import type { ReactElement } from 'react';
import { useQueryState } from '../../navigation/use-query-state.ts';
import { Segments } from './segments.tsx';

const SHOWN: readonly string[] = ['', 'ok', 'failed', 'refused'];

/** Which requests are shown, by `?status=`; a single status is chosen in the filter dialog. */
export function StatusSegments(): ReactElement {
  const [status, setStatus] = useQueryState('status');
  return (
    <Segments
      label="Status"
      value={SHOWN.includes(status) ? status : 'other'}
      onChange={setStatus}
      options={[
        { value: '', label: 'All' },
        { value: 'ok', label: 'OK' },
        { value: 'failed', label: 'Failed' },
        { value: 'refused', label: 'Refused' },
      ]}
    />
  );
}
