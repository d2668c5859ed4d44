import { type ComponentType, useState } from 'react';
import { loadCode } from './load-code.js';

interface LoadedPart<Props> {
  /** Absent until it is loaded. */
  readonly Part: ComponentType<Props> | undefined;
  readonly load: () => Promise<void>;
}

/** A part of a screen whose code is loaded on demand. If loading fails, the screen shows an error. */
export function useLoadedPart<Props>(fetchPart: () => Promise<ComponentType<Props>>): LoadedPart<Props> {
  const [Part, setPart] = useState<ComponentType<Props>>();
  const load = async () => {
    try {
      const fetched = await loadCode(fetchPart);
      setPart(() => fetched);
    } catch (error) {
      setPart(() => {
        throw error;
      });
    }
  };
  return { Part, load };
}
