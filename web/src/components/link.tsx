import type { AnchorHTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import { Link as RouterLink } from 'wouter';
import { keepAccount } from '../navigation/use-go.ts';
import { classNames } from './class-names.ts';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'className'> {
  /** A path of the dashboard. The account of the page is kept. */
  readonly href: string;
  readonly children: ReactNode;
  readonly className?: string;
  /** Without the look of a link in a text. */
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
