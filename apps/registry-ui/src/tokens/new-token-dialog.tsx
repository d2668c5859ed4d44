import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LeaveGuard } from '../elements/leave-guard.js';
import { OnceShownPanel } from '../elements/once-shown-panel.js';
import { text } from '../texts/text.js';
import { NewTokenForm } from './new-token-form.js';
import { makeToken, tokensQuery } from './tokens.js';

interface NewTokenDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a token, and shows its value once: the dialog is not left by a stray click before it was copied. */
export function NewTokenDialog({ opened, onClose }: NewTokenDialogProps) {
  const making = useMaking();
  const made = making.data;
  const close = () => {
    making.reset();
    onClose();
  };
  const guarded = making.isPending || made !== undefined;
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
        <NewTokenForm
          pending={making.isPending}
          error={making.error}
          onMake={making.mutate}
          onCancel={close}
        />
      )}
      <LeaveGuard guards={making.isPending} title="leave.token.title" what="leave.making" />
    </Modal>
  );
}

function useMaking() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: makeToken,
    onSuccess: () => void queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
