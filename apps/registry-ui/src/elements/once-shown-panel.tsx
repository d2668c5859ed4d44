import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { text, type TextName } from '../texts/text.js';
import { LeaveGuard } from './leave-guard.js';
import { Notice } from './notice.js';
import { OnceShown } from './once-shown.js';

export interface OnceShownPanelProps {
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
export function OnceShownPanel({ advice, loss, onDone, ...shown }: OnceShownPanelProps) {
  const [kept, setKept] = useState(false);
  return (
    <Stack gap="md">
      <OnceShown {...shown} kept={kept} onKept={() => setKept(true)} />
      <Notice kind="warn" title={advice} />
      <Group justify="flex-end">
        <Button variant={kept ? 'filled' : 'default'} onClick={onDone}>
          {text(kept ? 'once.done' : 'once.doneWithout')}
        </Button>
      </Group>
      <LeaveGuard guards={!kept} {...loss} />
    </Stack>
  );
}
