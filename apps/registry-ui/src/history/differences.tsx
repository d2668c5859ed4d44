import { text } from '../texts/history.js';
import { type FieldChange, linesOf } from './difference.js';
import classes from './history.module.css';
import { useFieldLabel } from './use-field-label.js';

/** Changed fields by label, with what was removed and added. */
export function Differences({ changed }: { readonly changed: readonly FieldChange[] }) {
  const labelOf = useFieldLabel();
  return (
    <dl className={classes.differences}>
      {changed.map((difference) => (
        <div key={difference.field}>
          <dt title={difference.field}>{labelOf(difference.field)}</dt>
          <dd>
            {linesOf(difference).map(({ sign, value }) => (
              <span key={`${sign} ${value}`} className={classes.line} data-sign={sign}>
                <span aria-label={text(`history.${sign}`)} role="img">
                  {SIGNS[sign]}
                </span>
                <bdi className="foreign">{value}</bdi>
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SIGNS = { removed: '−', added: '+' } as const;
