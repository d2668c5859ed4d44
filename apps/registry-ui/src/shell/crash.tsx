import { Button, Group } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../elements/failure.js';
import { Screen } from '../elements/screen.js';
import { text } from '../texts/text.js';

/** Stands in for a screen that could not be drawn; the rail beside it keeps working. */
export function Crash({ error, reset }: ErrorComponentProps) {
  return (
    <Screen title={text('crash.title')} lead={text('crash.lead')}>
      <Failure error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
      <Group>
        <Button variant="default" onClick={() => location.reload()}>
          {text('crash.reload')}
        </Button>
      </Group>
    </Screen>
  );
}

/** Stands in for an address that leads nowhere. */
export function Nowhere() {
  return <Screen title={text('nowhere.title')} lead={text('nowhere.lead')} children={null} />;
}
