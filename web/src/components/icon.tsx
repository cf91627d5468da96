/** Our own few icons, drawn on a grid of 16, with a line of 1.5. */
import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';

const PATHS = {
  overview: 'M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5H9z',
  keys: 'M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2.5 11.4V13.5h2.5V12h1.5v-1.5h1.3L9.3 8.8a3.5 3.5 0 0 0 1.2.2zM11.3 4.7v0',
  usage: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6',
  calls: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  models: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6',
  billing: 'M2 4.5h12v7.5H2zM2 7h12M4.5 9.8h2',
  projects: 'M2 4.5V12.5h12V5.5H8L6.5 3.5H2z',
  members:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 3.3a2.5 2.5 0 0 1 0 4.4M12 9.8c1.5.5 2.5 1.8 2.5 3.7',
  connect: 'M5.5 2.5v3M10.5 2.5v3M3.5 5.5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12.5v2',
  settings: 'M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.3 2.8v3.4M5.7 9.8v3.4',
  audit: 'M4 2h6l2.5 2.5V14H4zM6 7h4.5M6 9.5h4.5M6 4.5h2',
  providers: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5v0M5 11v0',
  accounts: 'M3 14V3h6v11M9 6h4v8M1.5 14h13M5 5.5h2M5 8h2M5 10.5h2M11 8.5v0M11 11v0',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4L6 8l4 4',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8L14 14',
  more: 'M3.5 8v0M8 8v0M12.5 8v0',
  download: 'M8 2.5v7.5M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  external: 'M6 3.5H3v9.5h9.5v-3M9 2.5h4.5V7M13 3L7.5 8.5',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5L13 6M13 2.5V6H9.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3l7.5 5L5 13z',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3M8 11.5v0',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.5v3.5M8 5v0',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7l2.3 2.3',
  filter: 'M2 3.5h12L9.5 8.5v4l-3 1v-5z',
  sun: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  system: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  signOut: 'M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5v0M6.7 6.5v0M9.3 6.5v0M12 6.5v0M5 9.5h6',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
} as const;

export type IconName = keyof typeof PATHS;

export interface IconProps {
  readonly name: IconName;
  readonly className?: string;
}

/** Decoration only: what it stands for is said in words beside it, or as the label of its button. */
export function Icon({ name, className }: IconProps): ReactElement {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={classNames('size-4 shrink-0', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
