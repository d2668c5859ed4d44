import { Radio } from '@mantine/core';
import { type FieldProblem, messagesOf } from '../api/api-error.js';
import { text } from '../texts/text.js';
import type { MergeRow, Side } from './merge-changes.js';
import classes from './merge.module.css';

interface MergeRowInputProps {
  readonly row: MergeRow;
  readonly label: string;
  readonly side: Side;
  /** What is wrong with the field as it is chosen. */
  readonly problems: readonly FieldProblem[];
  readonly onChoose: (side: Side) => void;
}

/** One field: both values, and the one that is kept. */
export function MergeRowInput({ row, label, side, problems, onChoose }: MergeRowInputProps) {
  return (
    <Radio.Group
      label={label}
      description={
        <>
          {text(`merge.changedBy.${row.changedBy}`)}
          {row.changedAgain && <strong className={classes.again}> {text('merge.changedAgain')}</strong>}
        </>
      }
      value={side}
      onChange={(value) => onChoose(value === 'theirs' ? 'theirs' : 'mine')}
      error={messagesOf(problems)}
      className={classes.row}
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
  const lines = Array.isArray(value) ? value.map(String) : [String(value)];
  return lines.map((line) => (
    <bdi key={line} className={`foreign ${classes.line}`}>
      {line}
    </bdi>
  ));
}
