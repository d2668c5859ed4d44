import { useEffect, useEffectEvent, useState } from 'react';

/** An Enter that may come before the answer it is meant for. */
export interface Awaited {
  ask(): void;
  /** What was asked for no longer counts: something else was typed. */
  cancel(): void;
}

/** Does what Enter asks for: at once when the answer is there, else as soon as it has come. Typing on is to cancel it. */
export function useAwaited(ready: boolean, act: () => void): Awaited {
  const [awaited, setAwaited] = useState(false);
  const actNow = useEffectEvent(act);
  useEffect(() => {
    if (awaited && ready) actNow();
  }, [awaited, ready]);
  return { ask: () => setAwaited(true), cancel: () => setAwaited(false) };
}
