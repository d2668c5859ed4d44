import { Checkbox, Radio, Stack } from '@mantine/core';
import { type Violation, messagesOf } from '../api/api-error.js';
import { type Change, formatActor } from '../changes/change-kinds.js';
import { RelativeTime } from '../elements/relative-time.js';
import { toEntries } from '../metadata/map-entries.js';
import { text } from '../texts/edit.js';
import type { ItemChange, ListRow, Side, ValueRow } from './merge-changes.js';
import classes from './merge.module.css';

interface MergeValueInputProps {
  readonly row: ValueRow;
  readonly label: string;
  /** The change that set their value, if known. */
  readonly change: Change | undefined;
  /** The side to keep; `undefined` until decided. */
  readonly side: Side | undefined;
  /** Saving was attempted before a decision. */
  readonly missed: boolean;
  /** Violations of the chosen value. */
  readonly violations: readonly Violation[];
  readonly onChoose: (side: Side) => void;
}

/** Chooses between their value and mine. */
export function MergeValueInput(props: MergeValueInputProps) {
  const { row, label, change, side, missed, violations, onChoose } = props;
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
      error={missed && side === undefined ? text('merge.choose') : messagesOf(violations)}
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
  const written = toEntries(value)?.join(', ') ?? String(value);
  return <bdi className={`foreign ${classes.line}`}>{written}</bdi>;
}

interface MergeListInputProps {
  readonly row: ListRow;
  readonly label: string;
  /** The change that produced their list, if known. */
  readonly change: Change | undefined;
  /** Violations of the merged list. */
  readonly violations: readonly Violation[];
  readonly keeps: (change: ItemChange) => boolean;
  readonly onKeep: (change: ItemChange, kept: boolean) => void;
}

/** Chooses which added and removed items the merged list contains. */
export function MergeListInput({ row, label, change, violations, keeps, onKeep }: MergeListInputProps) {
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
      error={messagesOf(violations)}
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

/** Who made a change and when, as far as known. */
export function ChangedBy({ change }: { readonly change: Change | undefined }) {
  if (!change) return text('merge.changedBy.them');
  return (
    <span className="foreign">
      {text('merge.changed')} {formatActor(change.actor)}, <RelativeTime at={change.at} />
    </span>
  );
}
