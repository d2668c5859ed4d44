import type { FeatureField } from '../api/client-documents.js';
import { fieldOf } from '../form/use-refusal.js';
import type { HistoryEntryDocument } from '../history/history-entry.js';
import { changeOf } from './changes-since.js';
import type { MergeRow } from './merge-changes.js';
import { MergeListInput, MergeValueInput } from './merge-inputs.js';
import classes from './merge.module.css';
import type { MergeChoice } from './use-merge-choice.js';

interface MergeRowsProps {
  readonly rows: readonly MergeRow[];
  readonly fields: readonly FeatureField[];
  readonly choice: MergeChoice;
  /** Changes made by others, latest first. */
  readonly changes: readonly HistoryEntryDocument[];
  /** Saving was attempted: undecided fields are marked. */
  readonly missed: boolean;
}

export function MergeRows({ rows, fields, choice, changes, missed }: MergeRowsProps) {
  return (
    <div className={classes.rows}>
      {rows.map((row) => {
        const { name } = row;
        const input = {
          label: fields.find((field) => field.name === name)?.label ?? name,
          change: changeOf(changes, name),
          violations: choice.violations.filter(({ field }) => fieldOf(field) === name),
        };
        return (
          <div key={name} id={rowId(name)} className={classes.row}>
            {row.kind === 'list' ? (
              <MergeListInput
                {...input}
                row={row}
                keeps={(change) => choice.keeps(row, change)}
                onKeep={(change, kept) => choice.keep(row, change, kept)}
              />
            ) : (
              <MergeValueInput
                {...input}
                row={row}
                side={choice.sideOf(row)}
                missed={missed}
                onChoose={(side) => choice.choose(row, side)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

export function focusFirst([first]: readonly MergeRow[]): void {
  if (!first) return;
  const row = document.getElementById(rowId(first.name));
  row?.querySelector<HTMLElement>('[role=radio], input')?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'center' });
}

function rowId(name: string): string {
  return `merge-${name}`;
}
