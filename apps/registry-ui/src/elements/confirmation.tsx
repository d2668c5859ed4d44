import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { text } from '../texts/text.js';
import { Dialog } from './dialog.js';
import { Failure } from './failure.js';

interface ConfirmationProps {
  readonly opened: boolean;
  readonly title: string;
  /** What will be destroyed or changed. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  /** Whether confirming is possible yet; `true` by default. */
  readonly ready?: boolean;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something irreversible. */
export function Confirmation(props: ConfirmationProps) {
  const { opened, title, children, confirmLabel, ready = true, pending, error, onConfirm, onClose } = props;
  return (
    <Dialog opened={opened} title={title} guarded={pending} onClose={onClose}>
      <Stack gap="md">
        <Text component="div">{children}</Text>
        {error && <Failure error={error} takesFocus />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={pending} onClick={onClose} data-autofocus>
            {text('action.cancel')}
          </Button>
          <Button color="red" loading={pending} disabled={!ready} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
