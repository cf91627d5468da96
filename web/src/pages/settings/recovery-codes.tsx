import { type ReactElement, useState } from 'react';
import { Button, Checkbox, CopyButton, Dialog, Note, saveFile } from '../../components/index.ts';

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly title: string;
  readonly onClose: () => void;
}

/** Shown only once: the dialog stays open until the person confirms that the codes are saved. */
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
        <Note tone="warn">
          Save these codes now: they will not be shown again. Store them away from your phone. Each one works once.
        </Note>
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
        <Checkbox checked={isKept} onChange={setKept} label="I have saved these codes" />
      </div>
    </Dialog>
  );
}
