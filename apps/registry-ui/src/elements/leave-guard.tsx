import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { text } from '../texts/text.js';
import { Dialog } from './dialog.js';
import { guardLeaving } from './leave-screen.js';

interface LeaveGuardProps {
  readonly guards: boolean;
  readonly title: string;
  readonly what: string;
}

/** Asks before unsaved work is lost by navigating away or signing out. */
export function LeaveGuard({ guards, title, what }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => guards,
    enableBeforeUnload: guards,
    withResolver: true,
  });
  const [leaving, setLeaving] = useState<{ readonly leave: () => void }>();
  const release = useRef<() => void>(undefined);
  useEffect(() => {
    if (!guards) return undefined;
    release.current = guardLeaving((leave) => setLeaving({ leave }));
    return release.current;
  }, [guards]);
  const stay = () => {
    setLeaving(undefined);
    reset?.();
  };
  const goOn = () => {
    setLeaving(undefined);
    if (leaving) return leaving.leave();
    // A URL of the same screen leads back here; don't ask twice.
    release.current?.();
    proceed?.();
  };
  return (
    <Dialog opened={status === 'blocked' || leaving !== undefined} title={title} onClose={stay}>
      <Stack gap="md">
        <Text>{what}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={goOn}>
            {text('leave.do')}
          </Button>
          <Button onClick={stay} data-autofocus>
            {text('leave.stay')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
