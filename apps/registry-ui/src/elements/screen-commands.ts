import { useEffect, useEffectEvent } from 'react';
import type { IconName } from './icon.js';
import { createStore } from './store.js';

/** What the command palette can do. */
export interface Command {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  /** Takes effect without asking, so Enter runs it only if an arrow key chose it. */
  readonly needsChoosing?: boolean;
  readonly act: () => void;
}

const commands = createStore<readonly Command[]>([]);

/** Offers a screen's commands in the command palette while the screen is open. */
export function useScreenCommands(offered: readonly Command[]): void {
  const act = useEffectEvent((id: string) => offered.find((each) => each.id === id)?.act());
  const names = offered.map(({ act: _, ...named }) => JSON.stringify(named)).join('\n');
  useEffect(() => {
    const parsed = names === '' ? [] : names.split('\n').map((line) => JSON.parse(line) as Command);
    const own = parsed.map((command) => ({ ...command, act: () => act(command.id) }));
    commands.set([...commands.get(), ...own]);
    return () => commands.set(commands.get().filter((each) => !own.includes(each)));
  }, [names]);
}

/** The commands of the current screen. */
export const useOfferedCommands = commands.use;
