import { Popover } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { text } from '../texts/text.js';
import { AccountButton } from './account-button.js';
import classes from './identity-menu.module.css';
import { loadScreen } from './screen-errors.js';

const loadMenu = async () => loadScreen(async () => import('./identity-menu.js'));

/** Loaded when it is about to be opened; no screen needs it. */
const IdentityMenu = lazy(async () => ({ default: (await loadMenu()).IdentityMenu }));

const preload = () => void loadMenu().catch(() => undefined);

interface AccountMenuProps {
  /** Called on signing out, to close a sidebar that covers the screen. */
  readonly onLeave: (() => void) | undefined;
}

/** The button at the bottom of the sidebar, and the menu that it opens. */
export function AccountMenu({ onLeave }: AccountMenuProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top-start"
      width={280}
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <AccountButton onClick={() => setOpened(!opened)} onPointerEnter={preload} onFocus={preload} />
      </Popover.Target>
      <Popover.Dropdown aria-label={text('identity.name')} className={classes.menu}>
        <Suspense>
          <IdentityMenu onLeave={onLeave} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
