/** The menu shows the current page; on phones a button opens it. */
import { reveal } from './reveal.ts';

export function readyMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu-button');
  const menu = document.querySelector<HTMLElement>('.menu');
  if (button === null || menu === null) return;
  const current = menu.querySelector<HTMLElement>('[aria-current="page"]');
  const open = (isOpen: boolean): void => {
    button.setAttribute('aria-expanded', String(isOpen));
    menu.classList.toggle('is-open', isOpen);
    document.documentElement.classList.toggle('menu-open', isOpen);
    if (isOpen && current !== null) reveal(menu, current);
  };
  button.hidden = false;
  document.documentElement.classList.add('has-menu-button');
  button.addEventListener('click', () => open(button.getAttribute('aria-expanded') !== 'true'));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    open(false);
    button.focus();
  });
  if (current !== null) reveal(menu, current);
}
