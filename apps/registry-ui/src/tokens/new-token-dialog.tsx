import { useMutation, useQueryClient } from '@tanstack/react-query';
import { OnceShownDialog } from '../elements/once-shown-dialog.js';
import { text } from '../texts/text.js';
import { formatMoment } from '../texts/times.js';
import { NewTokenForm } from './new-token-form.js';
import { type MadeToken, makeToken, tokensQuery } from './tokens.js';

const MAKING = ['make-token'];

interface NewTokenDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a token, and shows its value once. */
export function NewTokenDialog({ opened, onClose }: NewTokenDialogProps) {
  const making = useMaking();
  const made = making.data;
  const close = () => {
    making.reset();
    onClose();
  };
  return (
    <OnceShownDialog
      opened={opened}
      title={made ? text('tokens.made.title', { name: made.name }) : text('tokens.make')}
      pending={making.isPending}
      mutationKey={MAKING}
      loss={{ title: 'leave.token.title', what: 'leave.making' }}
      shown={made && shownToken(made)}
      onClose={close}
    >
      <NewTokenForm pending={making.isPending} error={making.error} onMake={making.mutate} onCancel={close} />
    </OnceShownDialog>
  );
}

/** It may end sooner than asked: no later than what it was made with. */
function shownToken({ token, expires_at: end }: MadeToken) {
  const ends = end === null ? [] : [text('tokens.once.ends', { time: formatMoment(new Date(end)) })];
  return {
    name: text('tokens.value'),
    value: token,
    copyLabel: text('tokens.copy'),
    advice: [text('tokens.once'), ...ends].join(' '),
    loss: { title: 'leave.token.title', what: 'leave.token' },
  } as const;
}

function useMaking() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: MAKING,
    mutationFn: makeToken,
    onSuccess: () => void queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
