import { Modal, type MantineSize } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect } from 'react';
import { focusTitle } from './screen.js';

interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** Ignores stray clicks and Escape: a request is running, or something would be lost. */
  readonly guarded?: boolean;
  /** Ignores stray clicks, which would lose what was typed; Escape still closes it. */
  readonly hasInputs?: boolean;
  readonly size?: MantineSize;
  /** Receives the focus on closing, if the opener may be gone by then (a menu item, say). */
  readonly returnTo?: RefObject<HTMLElement | null> | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. On closing, the focus returns to the opener. */
export function Dialog(props: DialogProps) {
  const { guarded = false, hasInputs = false, size = 'md', returnTo, ...rest } = props;
  useFocusReturn(props.opened, returnTo);
  return (
    <Modal
      {...rest}
      size={size}
      returnFocus={false}
      closeOnClickOutside={!guarded && !hasInputs}
      closeOnEscape={!guarded}
      withCloseButton={!guarded}
    />
  );
}

/** Returns the focus when a dialog closes; to the screen's title if the opener is gone. */
export function useFocusReturn(opened: boolean, returnTo?: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const target = returnTo?.current ?? document.activeElement;
    return () => {
      const left = document.activeElement;
      requestAnimationFrame(() => {
        const focused = document.activeElement;
        // The focus has already been moved elsewhere.
        if (focused !== left && focused !== document.body) return;
        if (target instanceof HTMLElement && target.isConnected) target.focus({ preventScroll: true });
        else if (focused instanceof HTMLElement) focused.blur();
        focusTitle();
      });
    };
  }, [opened, returnTo]);
}
