import { useEffect, useEffectEvent } from 'react';

/** Calls `act` when a character is typed outside of inputs and dialogs; where its key is depends on the keyboard. */
export function useTypedKey(character: string, act: () => void): void {
  const actNow = useEffectEvent(act);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.matches('input, textarea, select, [contenteditable]');
      if (event.key !== character || isTyping || isDialogOpen() || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      actNow();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [character]);
}

export function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal=true]') !== null;
}
