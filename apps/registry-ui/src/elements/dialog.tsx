import { Modal, type MantineSize } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect } from 'react';
import { focusTitle } from './screen.js';

interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** Something is under way, or would be lost: no stray click or key closes the dialog. */
  readonly guarded?: boolean;
  readonly size?: MantineSize;
  /** What the focus returns to, where the opener is gone by then, such as an entry of a menu. */
  readonly returnTo?: RefObject<HTMLElement | null> | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What asks for an answer before anything else goes on. The focus returns to what opened it. */
export function Dialog({ guarded = false, size = 'md', returnTo, ...props }: DialogProps) {
  useFocusReturn(props.opened, returnTo);
  return (
    <Modal
      {...props}
      size={size}
      returnFocus={false}
      closeOnClickOutside={!guarded}
      closeOnEscape={!guarded}
      withCloseButton={!guarded}
    />
  );
}

/** Leads the focus back when a dialog closes; to the screen's title when what opened it is there no more. */
function useFocusReturn(opened: boolean, returnTo: RefObject<HTMLElement | null> | undefined): void {
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const target = returnTo?.current ?? document.activeElement;
    return () => {
      const left = document.activeElement;
      requestAnimationFrame(() => {
        const focused = document.activeElement;
        // The answer led the focus somewhere else.
        if (focused !== left && focused !== document.body) return;
        if (target instanceof HTMLElement && target.isConnected) target.focus({ preventScroll: true });
        else if (focused instanceof HTMLElement) focused.blur();
        focusTitle();
      });
    };
  }, [opened, returnTo]);
}
