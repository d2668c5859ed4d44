import { ActionIcon } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { lazy, type MouseEvent, useState } from 'react';
import { Icon } from '../elements/icon.js';
import { usePreloaded } from '../elements/use-preloaded.js';
import { isDialogOpen, useTypedKey } from '../elements/use-typed-key.js';
import { text } from '../texts/text.js';
import { Brand } from '../elements/brand.js';
import { loadCode } from '../elements/load-code.js';
import { OnDemand } from '../elements/on-demand.js';
import { Sidebar } from './sidebar.js';
import { useNewVersionOffer } from './new-version.js';
import classes from './shell.module.css';

const loadPalette = async () => loadCode(async () => import('./command-palette.js'));

const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }));

const loadDrawer = async () => loadCode(async () => import('./sidebar-drawer.js'));

/** Loaded when it is about to be opened, in narrow windows. */
const SidebarDrawer = lazy(async () => ({ default: (await loadDrawer()).SidebarDrawer }));

const preloadDrawer = () => void loadDrawer().catch(() => undefined);

const KeyboardHelp = lazy(async () =>
  loadCode(async () => ({ default: (await import('./keyboard-help.js')).KeyboardHelp })),
);

/** Without navigating: a form with unsaved input would ask whether to leave it. */
function focusMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** The frame of all screens, with the sidebar on the left, or behind a button in narrow windows. */
export function Shell() {
  const [opened, rail] = useDisclosure(false);
  const [openings, setOpenings] = useState(0);
  const [jumping, jump] = useDisclosure(false);
  const [helping, help] = useDisclosure(false);
  useNewVersionOffer();
  useTypedKey('?', help.open);
  // Works in inputs too.
  useHotkeys([['mod+K', () => (jumping || !isDialogOpen()) && jump.toggle()]], []);
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip} onClick={focusMain}>
        {text('app.skip')}
      </a>
      <header className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => {
            setOpenings(openings + 1);
            rail.open();
          }}
          onPointerEnter={preloadDrawer}
          onFocus={preloadDrawer}
          aria-label={text('sidebar.open')}
        >
          <Icon name="menu" size={20} />
        </ActionIcon>
        <Brand />
      </header>
      <aside className={classes.side} aria-label={text('sidebar.side')}>
        <Sidebar onOpenPalette={jump.open} />
      </aside>
      {/* Stays mounted when it closes, so that it can slide out. */}
      {openings > 0 && (
        <OnDemand openings={openings} onFail={rail.close}>
          <SidebarDrawer opened={opened} onClose={rail.close} onOpenPalette={jump.open} />
        </OnDemand>
      )}
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Overlays jumping={jumping} helping={helping} jump={jump} help={help} />
    </div>
  );
}

interface Opening {
  readonly open: () => void;
  readonly close: () => void;
}

interface OverlaysProps {
  readonly jumping: boolean;
  readonly helping: boolean;
  readonly jump: Opening;
  readonly help: Opening;
}

/** What opens above every screen. */
function Overlays({ jumping, helping, jump, help }: OverlaysProps) {
  // Before it is opened: what is typed right after the shortcut would be lost.
  usePreloaded(loadPalette);
  return (
    <>
      {jumping && (
        <OnDemand onFail={jump.close}>
          <CommandPalette opened onClose={jump.close} onShowKeys={help.open} />
        </OnDemand>
      )}
      {helping && (
        <OnDemand onFail={help.close}>
          <KeyboardHelp opened onClose={help.close} />
        </OnDemand>
      )}
    </>
  );
}
