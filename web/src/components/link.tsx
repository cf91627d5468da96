import type { AnchorHTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import { Link as RouterLink } from 'wouter';
import { keepAccount } from '../navigation/use-go.ts';
import { classNames } from './class-names.ts';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'className'> {
  /** A path of the dashboard. The page's account is kept. */
  readonly href: string;
  readonly children: ReactNode;
  readonly className?: string;
  /** Without the style of a text link. */
  readonly plain?: boolean;
  readonly ref?: Ref<HTMLAnchorElement>;
}

export function Link({ href, plain, className, ...rest }: LinkProps): ReactElement {
  return (
    <RouterLink
      href={keepAccount(href)}
      className={classNames(!plain && 'text-accent-text underline-offset-2 hover:underline', className)}
      {...rest}
    />
  );
}
