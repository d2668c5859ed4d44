import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import classes from './client-table.module.css';

/** How many warnings a Client has; nothing for none. */
export function WarningCount({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.warning} title={text('clients.warnings', { count })}>
      <Icon name="warning" size={14} label={text('clients.warnings', { count })} />
      <span aria-hidden>{count}</span>
    </span>
  );
}
