/** On phones a button opens the menu. */
export function readyMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu-button');
  const menu = document.querySelector<HTMLElement>('.menu');
  if (button === null || menu === null) return;
  const open = (isOpen: boolean): void => {
    button.setAttribute('aria-expanded', String(isOpen));
    menu.classList.toggle('is-open', isOpen);
    document.documentElement.classList.toggle('menu-open', isOpen);
  };
  button.hidden = false;
  document.documentElement.classList.add('has-menu-button');
  button.addEventListener('click', () => open(button.getAttribute('aria-expanded') !== 'true'));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    open(false);
    button.focus();
  });
  // Scroll the menu, not the page, to the current entry.
  const current = menu.querySelector<HTMLElement>('[aria-current="page"]');
  if (current !== null && current.offsetTop > menu.clientHeight - 80)
    menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
}
