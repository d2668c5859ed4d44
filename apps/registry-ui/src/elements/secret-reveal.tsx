import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
import { type MutationKey, useQueryClient } from '@tanstack/react-query';
import { text } from '../texts/text.js';
import { CopyButton } from './copy-button.js';
import { CopyByHand } from './copy-by-hand.js';
import { Dialog } from './dialog.js';
import { LeaveGuard } from './leave-guard.js';
import { Notice } from './notice.js';
import classes from './secret-reveal.module.css';

interface SecretRevealProps {
  /** Such as "Client secret". */
  readonly name: string;
  readonly value: string;
  readonly copyLabel: string;
  /** Whether it was copied; until then, copying is the primary action. */
  readonly kept: boolean;
  readonly onKept: () => void;
}

/** A secret that is shown only once. */
export function SecretReveal({ name, value, copyLabel, kept, onKept }: SecretRevealProps) {
  return (
    <div className={classes.secret}>
      <code aria-label={name} role="status">
        {value}
      </code>
      {/* Copying by hand is loaded before there is a secret to lose. */}
      <CopyButton
        value={value}
        what={name}
        label={copyLabel}
        prominent={!kept}
        byHand={CopyByHand}
        onCopied={onKept}
      />
    </div>
  );
}

interface SecretRevealPanelProps {
  /** Such as "Client secret". */
  readonly name: string;
  readonly value: string;
  readonly copyLabel: string;
  /** Where to store it. */
  readonly advice: string;
  /** The warning about leaving before it is copied. */
  readonly loss: { readonly title: string; readonly what: string };
  readonly onDone: () => void;
}

/** A new secret; the button that closes is secondary until the secret is copied. */
function SecretRevealPanel({ advice, loss, onDone, ...shown }: SecretRevealPanelProps) {
  const [kept, setKept] = useState(false);
  return (
    <Stack gap="md">
      <SecretReveal {...shown} kept={kept} onKept={() => setKept(true)} />
      <Notice kind="warn" title={advice} />
      <Group justify="flex-end">
        <Button variant={kept ? 'filled' : 'default'} onClick={onDone}>
          {text(kept ? 'reveal.done' : 'reveal.doneWithout')}
        </Button>
      </Group>
      <LeaveGuard guards={!kept} {...loss} />
    </Stack>
  );
}

interface SecretRevealDialogProps {
  readonly opened: boolean;
  readonly returnTo?: RefObject<HTMLElement | null> | undefined;
  readonly title: string;
  /** The request is running: only its response contains the secret, so it must not be missed. */
  readonly pending: boolean;
  /** The mutation that creates the secret. */
  readonly mutationKey: MutationKey;
  /** The warning about leaving during the request. */
  readonly loss: { readonly title: string; readonly what: string };
  /** The new secret; `undefined` until it exists. */
  readonly shown: Omit<SecretRevealPanelProps, 'onDone'> | undefined;
  readonly onClose: () => void;
  /** The form shown before the secret is created. */
  readonly children: ReactNode;
}

/** Creates a secret and shows it once; from the request on, it cannot be dismissed by accident. */
export function SecretRevealDialog(props: SecretRevealDialogProps) {
  const { opened, returnTo, title, pending, mutationKey, loss, shown, onClose, children } = props;
  const queries = useQueryClient();
  // A key press can follow the click before `pending` is rendered.
  const close = () => {
    if (queries.isMutating({ mutationKey }) === 0) onClose();
  };
  return (
    <Dialog
      opened={opened}
      title={title}
      guarded={pending || shown !== undefined}
      hasInputs
      size="lg"
      returnTo={returnTo}
      onClose={close}
    >
      {shown ? <SecretRevealPanel {...shown} onDone={onClose} /> : children}
      <LeaveGuard guards={pending} {...loss} />
    </Dialog>
  );
}
