import type { ButtonHTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { Link } from './link.tsx';
import { Spinner } from './spinner.tsx';

export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'ghost';
export type ButtonSize = 'small' | 'normal' | 'large';

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  secondary: 'bg-surface text-text border-line hover:bg-sunken',
  danger: 'bg-bad text-on-bad hover:bg-bad-strong border-transparent',
  ghost: 'text-muted border-transparent hover:bg-sunken hover:text-text',
};
const SIZES: Readonly<Record<ButtonSize, string>> = {
  small: 'h-7 px-2.5 text-sm',
  normal: 'h-8 px-3',
  large: 'h-10 px-4',
};

export interface ButtonLook {
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
}

export function buttonClasses({ kind = 'secondary', size = 'normal' }: ButtonLook): string {
  return classNames(
    'inline-flex items-center justify-center gap-1.5 rounded border font-medium whitespace-nowrap select-none',
    'transition-colors disabled:opacity-55',
    KINDS[kind],
    SIZES[size],
  );
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonLook {
  readonly children: ReactNode;
  readonly icon?: IconName;
  /** Shows a spinner and ignores clicks. */
  readonly loading?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with an action; a submit button only with `type="submit"`. */
export function Button({
  kind,
  size,
  icon,
  loading,
  className,
  children,
  disabled,
  type,
  ...rest
}: ButtonProps): ReactElement {
  return (
    <button
      type={type ?? 'button'}
      className={classNames(buttonClasses({ kind, size }), className)}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      {...rest}
    >
      {loading ? <Spinner /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface LinkButtonProps extends ButtonLook {
  readonly href: string;
  readonly children: ReactNode;
  readonly icon?: IconName;
  readonly className?: string;
  /** A download from the API instead of a page. */
  readonly download?: boolean;
}

/** Looks like a button, goes to a page. */
export function LinkButton({ href, kind, size, icon, className, children, download }: LinkButtonProps): ReactElement {
  const classes = classNames(buttonClasses({ kind, size }), className);
  const content = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </>
  );
  if (download) {
    return (
      <a href={href} download className={classes}>
        {content}
      </a>
    );
  }
  return (
    <Link href={href} plain className={classes}>
      {content}
    </Link>
  );
}
