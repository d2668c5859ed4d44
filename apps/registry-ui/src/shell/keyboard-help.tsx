import { Kbd } from '@mantine/core';
import { Dialog } from '../elements/dialog.js';
import { text, type TextName } from '../texts/text.js';
import classes from './keyboard-help.module.css';
import { modKey } from './platform-keys.js';

const SHORTCUTS: readonly { readonly keys: readonly string[]; readonly does: TextName }[] = [
  { keys: [modKey, 'K'], does: 'keys.palette' },
  { keys: ['/'], does: 'keys.search' },
  { keys: ['?'], does: 'keys.help' },
  { keys: ['↑', '↓', '←', '→'], does: 'keys.grid' },
  { keys: ['Shift', '←', '→'], does: 'keys.resize' },
  { keys: [modKey, 'Shift', '←', '→'], does: 'keys.move' },
  { keys: ['x'], does: 'keys.select' },
  { keys: ['Enter'], does: 'keys.open' },
  { keys: ['Esc'], does: 'keys.close' },
];

interface KeyboardHelpProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Lists the keyboard shortcuts. */
export function KeyboardHelp({ opened, onClose }: KeyboardHelpProps) {
  return (
    <Dialog opened={opened} title={text('keys.title')} onClose={onClose}>
      <dl className={classes.keys}>
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{text(does)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
