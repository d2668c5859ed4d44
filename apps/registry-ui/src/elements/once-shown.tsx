import { Button, CopyButton as Copying } from '@mantine/core';
import { text } from '../texts/text.js';
import { Icon } from './icon.js';
import classes from './once-shown.module.css';

interface OnceShownProps {
  /** What it is, such as a client secret. */
  readonly name: string;
  readonly value: string;
  /** What its button says. */
  readonly copyLabel: string;
  /** Called when the value was copied. */
  readonly onKept: () => void;
}

/** A secret that is shown this once. */
export function OnceShown({ name, value, copyLabel, onKept }: OnceShownProps) {
  return (
    <div className={classes.secret}>
      <code aria-label={name} role="status">
        {value}
      </code>
      <Copying value={value} timeout={2000}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
            onClick={() => {
              copy();
              onKept();
            }}
          >
            {copied ? text('copy.done') : copyLabel}
          </Button>
        )}
      </Copying>
    </div>
  );
}
