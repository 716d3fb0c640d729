const commandsWork = 'command' in HTMLButtonElement.prototype;
const lightDismissWorks = 'closedBy' in HTMLDialogElement.prototype;

/** For browsers without `command` or `closedby`. */
export function standInForDialogs(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest('button[commandfor]');
    if (button && !commandsWork) {
      const dialog = document.getElementById(button.getAttribute('commandfor')!);
      if (dialog instanceof HTMLDialogElement) {
        if (button.getAttribute('command') === 'show-modal') dialog.showModal();
        else dialog.close();
      }
    }
    // A click on the backdrop targets the dialog, outside its box.
    if (
      !lightDismissWorks &&
      event.target instanceof HTMLDialogElement &&
      event.target.matches('[closedby=any]')
    ) {
      const box = event.target.getBoundingClientRect();
      const { clientX: x, clientY: y } = event;
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) event.target.close();
    }
  });
}
