import { Modal, type MantineSize } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** Something is under way, or would be lost: no stray click or key closes the dialog. */
  readonly guarded?: boolean;
  readonly size?: MantineSize;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What asks for an answer before anything else goes on. */
export function Dialog({ guarded = false, size = 'md', ...props }: DialogProps) {
  return (
    <Modal
      {...props}
      size={size}
      closeOnClickOutside={!guarded}
      closeOnEscape={!guarded}
      withCloseButton={!guarded}
    />
  );
}
