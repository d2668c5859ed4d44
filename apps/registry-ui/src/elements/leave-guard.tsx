import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { text, type TextName } from '../texts/text.js';

interface LeaveGuardProps {
  /** Whether something would be lost. */
  readonly guards: boolean;
  readonly title: TextName;
  readonly what: TextName;
}

/** Asks before a screen is left on which something would be lost. */
export function LeaveGuard({ guards, title, what }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => guards,
    enableBeforeUnload: guards,
    withResolver: true,
  });
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={text(title)}>
      <Stack gap="md">
        <Text>{text(what)}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => proceed?.()}>
            {text('leave.do')}
          </Button>
          <Button onClick={() => reset?.()} data-autofocus>
            {text('leave.stay')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
