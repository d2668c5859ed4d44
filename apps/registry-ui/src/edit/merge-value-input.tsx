import { Radio } from '@mantine/core';
import { type FieldProblem, messagesOf } from '../api/api-error.js';
import type { Change } from '../changes/change-kinds.js';
import { text } from '../texts/text.js';
import { ChangedBy } from './changed-by.js';
import type { Side, ValueRow } from './merge-changes.js';
import classes from './merge.module.css';

interface MergeValueInputProps {
  readonly row: ValueRow;
  readonly label: string;
  /** The change that gave it their value, where that is known. */
  readonly change: Change | undefined;
  /** What is kept; `undefined` until it is decided. */
  readonly side: Side | undefined;
  /** Saving was tried before it was decided. */
  readonly missed: boolean;
  /** What is wrong with the value that is kept. */
  readonly problems: readonly FieldProblem[];
  readonly onChoose: (side: Side) => void;
}

/** A field with one value: theirs and mine, and the one that is kept. */
export function MergeValueInput(props: MergeValueInputProps) {
  const { row, label, change, side, missed, problems, onChoose } = props;
  return (
    <Radio.Group
      label={label}
      description={
        <>
          {row.changedBy === 'both' && <>{text('merge.both')} </>}
          {row.changedBy === 'me' ? text('merge.changedBy.me') : <ChangedBy change={change} />}
          {row.changedAgain && <strong className={classes.again}> {text('merge.changedAgain')}</strong>}
        </>
      }
      value={side ?? null}
      onChange={(value) => onChoose(value === 'theirs' ? 'theirs' : 'mine')}
      error={missed && side === undefined ? text('merge.choose') : messagesOf(problems)}
    >
      <div className={classes.sides}>
        {(['theirs', 'mine'] as const).map((which) => (
          <Radio.Card key={which} value={which} className={classes.side} aria-label={text(`merge.${which}`)}>
            <Radio.Indicator />
            <span className={classes.value}>
              <strong>{text(`merge.${which}`)}</strong>
              <Value of={row[which]} />
            </span>
          </Radio.Card>
        ))}
      </div>
      <p className="hint">
        {text('merge.before')} <Value of={row.before} />
      </p>
    </Radio.Group>
  );
}

function Value({ of: value }: { readonly of: unknown }) {
  if (value === undefined) return <span>{text('field.unset')}</span>;
  return <bdi className={`foreign ${classes.line}`}>{String(value)}</bdi>;
}
