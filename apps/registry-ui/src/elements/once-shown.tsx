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
  /** It was copied: until then that is what to do here. */
  readonly kept: boolean;
  /** Called when the value was copied. */
  readonly onKept: () => void;
}

/** A secret that is shown this once. */
export function OnceShown({ name, value, copyLabel, kept, onKept }: OnceShownProps) {
  return (
    <div className={classes.secret}>
      <code aria-label={name} role="status">
        {value}
      </code>
      <Copying value={value} timeout={2000}>
        {({ copied, copy }) => (
          <Button
            variant={kept ? 'default' : 'filled'}
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
