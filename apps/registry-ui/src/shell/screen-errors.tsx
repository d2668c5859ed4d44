import { Button, Group } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { Failure } from '../elements/failure.js';
import { CodeLoadError } from '../elements/load-code.js';
import { Screen } from '../elements/screen.js';
import { text } from '../texts/text.js';
import { servedVersion } from './new-version.js';

/** Shown when a screen crashes; the sidebar keeps working. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  if (error instanceof CodeLoadError) return <ScreenNotLoaded error={error} />;
  return (
    <Screen title={text('crash.title')} lead={text('crash.lead')}>
      <Failure error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
      <Reload />
    </Screen>
  );
}

/** Shown when a screen's code could not be loaded: no network, or the registry now serves another version. */
function ScreenNotLoaded({ error }: { readonly error: CodeLoadError }) {
  const [outdated, setOutdated] = useState(false);
  const [again, setAgain] = useState<Error>();
  useEffect(() => {
    void servedVersion().then((version) => setOutdated(version === 'new'));
  }, [error]);
  const retry = async () => {
    // Some browsers never refetch a module that failed once, so the page is reloaded if the registry responds.
    if ((await servedVersion()) === 'unreachable') setAgain(new ApiError(0, text('error.unreachable')));
    else location.reload();
  };
  if (outdated)
    return <Screen title={text('version.new')} lead={text('version.new.lead')} children={<Reload />} />;
  return (
    <Screen title={text('crash.title')}>
      <Failure error={again ?? error} onRetry={() => void retry()} takesFocus={again !== undefined} />
    </Screen>
  );
}

function Reload() {
  return (
    <Group>
      <Button variant="default" onClick={() => location.reload()}>
        {text('version.reload')}
      </Button>
    </Group>
  );
}

export function NotFound() {
  return <Screen title={text('notFound.title')} lead={text('notFound.lead')} children={null} />;
}
