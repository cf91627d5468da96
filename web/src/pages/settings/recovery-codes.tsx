import { type ReactElement, useState } from 'react';
import { Button, Checkbox, CopyButton, Dialog, Note, saveFile } from '../../components/index.ts';

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly title: string;
  readonly onClose: () => void;
}

/** They are in this answer and nowhere else: the dialog stays until somebody says that they are kept. */
export function RecoveryCodes({ codes, title, onClose }: RecoveryCodesProps): ReactElement {
  const [isKept, setKept] = useState(false);
  const text = codes.join('\n');
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={false}
      width="narrow"
      title={title}
      footer={
        <Button kind="primary" disabled={!isKept} onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Note tone="warn">These are shown once. Keep them apart from your phone: each signs you in one time.</Note>
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded bg-sunken px-4 py-3 font-mono text-sm"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={text} label="Copy" wide />
          <Button icon="download" onClick={() => saveFile('turnpike-recovery-codes.txt', `${text}\n`)}>
            Download
          </Button>
        </div>
        <Checkbox checked={isKept} onChange={setKept} label="I have kept them" />
      </div>
    </Dialog>
  );
}
