/** Dialogs: every [data-open="id"] opens that one, every [data-close] closes the one it is in, and so does a click beside it. */
export function listenToDialogs() {
  document.addEventListener('click', ({ target, clientX, clientY }) => {
    const opener = target.closest('[data-open]');
    const dialog = opener && document.getElementById(opener.dataset.open);
    if (dialog instanceof HTMLDialogElement && !dialog.open && opener.ariaDisabled !== 'true') dialog.showModal();
    if (target.closest('[data-close]')) target.closest('dialog').close();
    if (target instanceof HTMLDialogElement) {
      const { left, right, top, bottom } = target.getBoundingClientRect();
      if (clientX < left || clientX > right || clientY < top || clientY > bottom) target.close();
    }
  });
}
