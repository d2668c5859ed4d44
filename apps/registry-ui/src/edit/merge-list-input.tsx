import { Checkbox, Stack } from '@mantine/core';
import { type FieldProblem, messagesOf } from '../api/api-error.js';
import type { Change } from '../changes/change-kinds.js';
import { text } from '../texts/text.js';
import { ChangedBy } from './changed-by.js';
import type { ItemChange, ListRow } from './merge-changes.js';
import classes from './merge.module.css';

interface MergeListInputProps {
  readonly row: ListRow;
  readonly label: string;
  /** The change that made it their list, where that is known. */
  readonly change: Change | undefined;
  /** What is wrong with the merged list. */
  readonly problems: readonly FieldProblem[];
  readonly keeps: (change: ItemChange) => boolean;
  readonly onKeep: (change: ItemChange, kept: boolean) => void;
}

/** A list, merged item by item: each item that one side added or removed, and whether the merged list has it. */
export function MergeListInput({ row, label, change, problems, keeps, onKeep }: MergeListInputProps) {
  const { changes, items, changedAgain } = row;
  const kept = changes.filter(keeps).map(({ item }) => item);
  const byThem = changes.some(({ by }) => by === 'them');
  const settled = items.length - changes.length;
  return (
    <Checkbox.Group
      label={label}
      description={
        <>
          {text('merge.list')} {byThem && <ChangedBy change={change} />}
          {changedAgain && <strong className={classes.again}> {text('merge.changedAgain')}</strong>}
        </>
      }
      value={kept}
      error={messagesOf(problems)}
    >
      <Stack gap="sm" my="sm">
        {changes.map((itemChange) => (
          <Checkbox
            key={itemChange.item}
            value={itemChange.item}
            label={<bdi className="mono foreign">{itemChange.item}</bdi>}
            description={text(`merge.item.${itemChange.change}.${itemChange.by}`)}
            onChange={(event) => onKeep(itemChange, event.currentTarget.checked)}
          />
        ))}
      </Stack>
      {changes.length === 0 && <p className="hint">{text('merge.list.order')}</p>}
      {settled > 0 && <p className="hint">{text('merge.list.settled', { count: settled })}</p>}
    </Checkbox.Group>
  );
}
