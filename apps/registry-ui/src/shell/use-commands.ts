import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { signOutInAllTabs } from '../api/other-tabs.js';
import { signOut } from '../api/session.js';
import { useExactTimes } from '../elements/exact-times.js';
import { leaveScreen } from '../elements/leave-screen.js';
import { type Command, useOfferedCommands } from '../elements/screen-commands.js';
import { text } from '../texts/text.js';

/** Commands of the current screen, then those that are available everywhere. */
export function useCommands(onShowKeys: () => void): readonly Command[] {
  const { setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const offered = useOfferedCommands();
  const [exact, setExact] = useExactTimes();
  return [
    ...offered,
    {
      id: 'warnings',
      name: text('command.warnings'),
      icon: 'warning',
      act: () => void navigate({ to: '/clients', search: { has_warnings: 'true' } }),
    },
    { id: 'light', name: text('command.light'), icon: 'sun', act: () => setColorScheme('light') },
    { id: 'dark', name: text('command.dark'), icon: 'moon', act: () => setColorScheme('dark') },
    { id: 'system', name: text('command.system'), icon: 'columns', act: () => setColorScheme('auto') },
    {
      id: 'times',
      name: text(exact ? 'command.relativeTimes' : 'command.exactTimes'),
      icon: 'clock',
      act: () => setExact(!exact),
    },
    { id: 'keys', name: text('keys.title'), icon: 'info', act: onShowKeys },
    {
      id: 'sign-out',
      name: text('signOut.do'),
      icon: 'leave',
      needsChoosing: true,
      act: () => leaveScreen(signOut),
    },
    {
      id: 'all-tabs',
      name: text('command.signOutTabs'),
      icon: 'leave',
      needsChoosing: true,
      act: () => leaveScreen(signOutInAllTabs),
    },
  ];
}
