import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { IconName } from './icon.js';

/** What the command palette can do. */
export interface Command {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly act: () => void;
}

const listeners = new Set<() => void>();
let commands: readonly Command[] = [];

/** Offers a screen's commands in the command palette while the screen is open. */
export function useScreenCommands(offered: readonly Command[]): void {
  const act = useEffectEvent((id: string) => offered.find((each) => each.id === id)?.act());
  const names = offered.map(({ id, name, icon }) => JSON.stringify({ id, name, icon })).join('\n');
  useEffect(() => {
    const parsed = names === '' ? [] : names.split('\n').map((line) => JSON.parse(line) as Command);
    const own = parsed.map((command) => ({ ...command, act: () => act(command.id) }));
    change([...commands, ...own]);
    return () => change(commands.filter((each) => !own.includes(each)));
  }, [names]);
}

/** The commands of the current screen. */
export function useOfferedCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => commands);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly Command[]): void {
  commands = next;
  for (const notify of listeners) notify();
}
