import { useEffect, useEffectEvent } from 'react';

/** Calls `act` when `?` is typed outside of inputs; where that key is depends on the keyboard. */
export function useQuestionMark(act: () => void): void {
  const actNow = useEffectEvent(act);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.matches('input, textarea, select, [contenteditable]');
      if (event.key !== '?' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      actNow();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
