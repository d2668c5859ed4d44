import { Button, Kbd, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../elements/icon.js';
import { useLatestUndoable } from '../elements/undoable.js';
import { text } from '../texts/text.js';
import { Brand } from '../elements/brand.js';
import { AccountMenu } from './account-menu.js';
import { NAVIGATION } from './pages.js';
import { modKey } from './platform-keys.js';
import classes from './sidebar.module.css';

interface SidebarProps {
  readonly onOpenPalette: () => void;
  /** Called after navigation, to close a sidebar that covers the screen. */
  readonly onLeave?: (() => void) | undefined;
}

/** Navigation, and what concerns the user rather than clients. */
export function Sidebar({ onOpenPalette: onJump, onLeave }: SidebarProps) {
  return (
    <div className={classes.sidebar}>
      <div className={classes.brand}>
        <Brand />
      </div>
      <PaletteButton onOpenPalette={onJump} onLeave={onLeave} />
      <nav aria-label={text('sidebar.name')} className={classes.places}>
        {NAVIGATION.map(({ group, places }) => (
          <div key={group ?? ''} className={classes.group}>
            {group && <p className={classes.groupName}>{text(group)}</p>}
            {places.map(({ to, name, icon }) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className={classes.place}
                onClick={onLeave}
              >
                <Icon name={icon} />
                {text(name)}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className={classes.foot}>
        <UndoButton />
        <AccountMenu onLeave={onLeave} />
      </div>
    </div>
  );
}

function PaletteButton({ onOpenPalette: onJump, onLeave }: SidebarProps) {
  const open = () => {
    onLeave?.();
    onJump();
  };
  return (
    <Button
      variant="default"
      justify="space-between"
      fullWidth
      leftSection={<Icon name="search" />}
      rightSection={<Kbd size="xs">{`${modKey} K`}</Kbd>}
      classNames={{ label: classes.paletteLabel }}
      onClick={open}
    >
      {text('palette.do')}
    </Button>
  );
}

/** Undoes the latest action once its toast is gone. */
function UndoButton() {
  const undoable = useLatestUndoable();
  if (!undoable) return null;
  const { message, undo } = undoable;
  return (
    <UnstyledButton className={classes.place} title={message} onClick={undo}>
      <Icon name="undo" />
      <span className="one-line">{text('undo.latest', { message })}</span>
    </UnstyledButton>
  );
}
