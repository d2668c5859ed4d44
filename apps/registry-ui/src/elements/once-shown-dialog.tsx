import { type MutationKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import type { TextName } from '../texts/text.js';
import { Dialog } from './dialog.js';
import { LeaveGuard } from './leave-guard.js';
import { OnceShownPanel, type OnceShownPanelProps } from './once-shown-panel.js';

interface OnceShownDialogProps {
  readonly opened: boolean;
  readonly returnTo?: RefObject<HTMLElement | null> | undefined;
  readonly title: string;
  /** It is being made: the answer, which alone holds it, is not to be missed. */
  readonly pending: boolean;
  /** The mutation that makes it. */
  readonly mutationKey: MutationKey;
  /** What is lost by leaving the screen meanwhile. */
  readonly loss: { readonly title: TextName; readonly what: TextName };
  /** What was made; nothing until then. */
  readonly shown: Omit<OnceShownPanelProps, 'onDone'> | undefined;
  readonly onClose: () => void;
  /** What is asked before it is made. */
  readonly children: ReactNode;
}

/** Has a secret made and shows it, for the only time: it is not left by mistake from the moment it is asked for. */
export function OnceShownDialog(props: OnceShownDialogProps) {
  const { opened, returnTo, title, pending, mutationKey, loss, shown, onClose, children } = props;
  const queries = useQueryClient();
  // A key may follow the click before the screen has been drawn with `pending`.
  const close = () => {
    if (queries.isMutating({ mutationKey }) === 0) onClose();
  };
  return (
    <Dialog
      opened={opened}
      title={title}
      guarded={pending || shown !== undefined}
      size="lg"
      returnTo={returnTo}
      onClose={close}
    >
      {shown ? <OnceShownPanel {...shown} onDone={onClose} /> : children}
      <LeaveGuard guards={pending} {...loss} />
    </Dialog>
  );
}
