/** Whether it worked. Pages over plain HTTP beyond loopback have no clipboard, but can still copy a selection. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The permission was refused: the older way may still work.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.className = 'sr-only';
  // A dialog keeps the focus inside, so the area must be there too.
  const place = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body;
  place.append(area);
  area.select();
  const worked = document.execCommand('copy');
  area.remove();
  return worked;
}
