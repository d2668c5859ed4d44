import { Drawer, VisuallyHidden } from '@mantine/core';
import { useFocusReturn } from '../elements/dialog.js';
import { text } from '../texts/text.js';
import { Sidebar } from './sidebar.js';
import classes from './shell.module.css';

interface SidebarDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onOpenPalette: () => void;
}

/** The sidebar of narrow windows. */
export function SidebarDrawer({ opened, onClose, onOpenPalette }: SidebarDrawerProps) {
  useFocusReturn(opened);
  return (
    <Drawer
      opened={opened}
      returnFocus={false}
      onClose={onClose}
      size={280}
      withCloseButton={false}
      padding={0}
      title={<VisuallyHidden>{text('sidebar.name')}</VisuallyHidden>}
      classNames={{ header: classes.unseen, body: classes.drawer }}
    >
      <Sidebar onOpenPalette={onOpenPalette} onLeave={onClose} />
    </Drawer>
  );
}
