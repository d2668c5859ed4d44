import { useSyncExternalStore } from 'react';

/** A value outside React that components follow. */
export interface Store<Value> {
  readonly get: () => Value;
  readonly set: (next: Value) => void;
  readonly use: () => Value;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => value;
  const set = (next: Value) => {
    value = next;
    for (const notify of listeners) notify();
  };
  return { get, set, use: () => useSyncExternalStore(subscribe, get) };
}
