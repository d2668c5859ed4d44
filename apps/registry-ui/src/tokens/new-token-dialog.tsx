import { Modal } from '@mantine/core';
import { useState } from 'react';
import { OnceShownPanel } from '../elements/once-shown-panel.js';
import { text } from '../texts/text.js';
import { NewTokenForm } from './new-token-form.js';
import type { MadeToken } from './tokens.js';

interface NewTokenDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a token, and shows its value once: the dialog is not left by a stray click before it was copied. */
export function NewTokenDialog({ opened, onClose }: NewTokenDialogProps) {
  const [made, setMade] = useState<MadeToken>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  const guarded = made !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made ? text('tokens.made.title', { name: made.name }) : text('tokens.make')}
      closeOnClickOutside={!guarded}
      closeOnEscape={!guarded}
      withCloseButton={!guarded}
      size="lg"
    >
      {made ? (
        <OnceShownPanel
          name={text('tokens.value')}
          value={made.token}
          copyLabel={text('tokens.copy')}
          advice={text('tokens.once')}
          loss={{ title: 'leave.token.title', what: 'leave.token' }}
          onDone={close}
        />
      ) : (
        <NewTokenForm onMade={setMade} onCancel={close} />
      )}
    </Modal>
  );
}
