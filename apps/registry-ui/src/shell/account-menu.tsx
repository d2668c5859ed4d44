import { lazy, Suspense, useState } from 'react';
import { LazyPopover } from '../elements/lazy-popover.js';
import { loadCode } from '../elements/load-code.js';
import { text } from '../texts/text.js';
import { AccountButton } from './account-button.js';
import classes from './identity-menu.module.css';

const loadMenu = async () => loadCode(async () => import('./identity-menu.js'));

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
    <LazyPopover
      opened={opened}
      onChange={setOpened}
      label={text('identity.name')}
      className={classes.menu}
      preload={preload}
      position="top-start"
      width={280}
      withinPortal={false}
      button={(props) => <AccountButton {...props} />}
    >
      <Suspense>
        <IdentityMenu onLeave={onLeave} />
      </Suspense>
    </LazyPopover>
  );
}
