import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
import { type MutationKey, useQueryClient } from '@tanstack/react-query';
import { text, type TextName } from '../texts/text.js';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';
import { LeaveGuard } from './leave-guard.js';
import { Notice } from './notice.js';
import classes from './secret-reveal.module.css';

interface SecretRevealProps {
  /** What it is, such as a client secret. */
  readonly name: string;
  readonly value: string;
  /** What its button says. */
  readonly copyLabel: string;
  /** It was copied: until then that is what to do here. */
  readonly kept: boolean;
  /** Called when the value was copied. */
  readonly onKept: () => void;
}

/** A secret that is shown this once. */
export function SecretReveal({ name, value, copyLabel, kept, onKept }: SecretRevealProps) {
  return (
    <div className={classes.secret}>
      <code aria-label={name} role="status">
        {value}
      </code>
      <CopyButton value={value} what={name} label={copyLabel} prominent={!kept} onCopied={onKept} />
    </div>
  );
}

interface SecretRevealPanelProps {
  /** What it is, such as a client secret. */
  readonly name: string;
  readonly value: string;
  /** What the button that copies it says. */
  readonly copyLabel: string;
  /** Where to keep it. */
  readonly advice: string;
  /** What is lost by leaving the screen before it was copied. */
  readonly loss: { readonly title: TextName; readonly what: TextName };
  readonly onDone: () => void;
}

/** A secret just made, for the only time; the way on is quiet until it was copied. */
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
  /** It is being made: the answer, which alone holds it, is not to be missed. */
  readonly pending: boolean;
  /** The mutation that makes it. */
  readonly mutationKey: MutationKey;
  /** What is lost by leaving the screen meanwhile. */
  readonly loss: { readonly title: TextName; readonly what: TextName };
  /** What was made; nothing until then. */
  readonly shown: Omit<SecretRevealPanelProps, 'onDone'> | undefined;
  readonly onClose: () => void;
  /** What is asked before it is made. */
  readonly children: ReactNode;
}

/** Has a secret made and shows it, for the only time: it is not left by mistake from the moment it is asked for. */
export function SecretRevealDialog(props: SecretRevealDialogProps) {
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
      {shown ? <SecretRevealPanel {...shown} onDone={onClose} /> : children}
      <LeaveGuard guards={pending} {...loss} />
    </Dialog>
  );
}
