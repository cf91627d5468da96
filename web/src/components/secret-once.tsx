import { type ReactElement, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Note } from './states.tsx';

export interface SecretOnceProps {
  /** What it is: `API key`, `Invitation link`. */
  readonly name: string;
  readonly secret: string;
  /** Offers the secret as a file: its name and its whole text. */
  readonly file?: { readonly name: string; readonly text: string };
  readonly warning?: string;
}

/** A secret that exists only in this response. It is kept neither in the URL nor in the query cache. */
export function SecretOnce({
  name,
  secret,
  file,
  warning = 'Copy it now: it will not be shown again.',
}: SecretOnceProps): ReactElement {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.select(), []);
  return (
    <div className="flex flex-col gap-3">
      <Note tone="warn">{warning}</Note>
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={box}
          readOnly
          aria-label={name}
          value={secret}
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.target.select()}
          className="h-9 min-w-0 flex-[1_1_16rem] rounded border border-control bg-sunken px-2.5 font-mono text-xs"
        />
        <CopyButton text={secret} label="Copy" wide kind="primary" />
        {file !== undefined && (
          <Button icon="download" onClick={() => saveFile(file.name, file.text)}>
            {file.name}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Hands a text to the browser as a file. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Immediately would be too early for some browsers.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
