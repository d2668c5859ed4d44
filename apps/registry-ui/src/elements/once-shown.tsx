import { CopyButton } from './copy-button.js';
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
      <CopyButton value={value} what={name} label={copyLabel} prominent={!kept} onCopied={onKept} />
    </div>
  );
}
