import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { Tooltip } from './overlays/tooltip.tsx';

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'aria-label'> {
  readonly icon: IconName;
  /** What it does, in words: read aloud, and shown as a tooltip. */
  readonly label: string;
  readonly size?: 'small' | 'normal';
  readonly ref?: Ref<HTMLButtonElement>;
  /** False if the label is next to it. */
  readonly tooltip?: boolean;
}

export function IconButton({
  icon,
  label,
  size = 'normal',
  className,
  tooltip = true,
  ...rest
}: IconButtonProps): ReactElement {
  const button = (
    <button
      type="button"
      aria-label={label}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded text-muted hover:bg-sunken hover:text-text disabled:opacity-50',
        size === 'small' ? 'size-7' : 'size-8',
        className,
      )}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
  return tooltip ? <Tooltip text={label}>{button}</Tooltip> : button;
}
