import { type ReactElement, useEffect, useState } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';
import { notify } from './overlays/toasts.tsx';

export interface CopyButtonProps {
  readonly text: string;
  /** What is copied: `Copy key`. */
  readonly label?: string;
  /** With the label next to the icon. */
  readonly wide?: boolean;
  readonly kind?: ButtonKind;
  readonly size?: 'small' | 'normal';
}

export function CopyButton({
  text,
  label = 'Copy',
  wide,
  kind = 'secondary',
  size = 'normal',
}: CopyButtonProps): ReactElement {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    if (await copyText(text)) setCopied(true);
    else notify({ title: 'Copying is blocked by the browser', kind: 'bad' });
  };
  const icon = copied ? 'check' : 'copy';
  return (
    <>
      {wide ? (
        <Button kind={kind} size={size} icon={icon} onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      ) : (
        <IconButton icon={icon} label={copied ? 'Copied' : label} size={size} onClick={copy} />
      )}
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
