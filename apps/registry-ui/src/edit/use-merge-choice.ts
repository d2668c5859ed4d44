import type { CurrentClient } from '@svc/client-metadata';
import { useState } from 'react';
import type { Violation } from '../api/api-error.js';
import type { ClientDocument, Features } from '../api/client-documents.js';
import { sameValue } from '../form/form-values.js';
import { validateForm } from '../form/validate-form.js';
import { fieldOf, useRefusal } from '../form/use-refusal.js';
import {
  changedSide,
  type Decisions,
  isKept,
  type ItemChange,
  type ListRow,
  merged,
  type MergeRow,
  type Side,
  type ValueRow,
} from './merge-changes.js';

/** A chosen side, valid as long as their value stays the same. */
interface Chosen {
  readonly side: Side;
  readonly theirs: unknown;
}

/** The decisions so far, and the validation result of the merged client. */
export interface MergeChoice extends Decisions {
  readonly body: Readonly<Record<string, unknown>>;
  /** Rows that block saving: both sides changed them. */
  readonly undecided: readonly MergeRow[];
  /** Violations found by the rules or reported by the server. */
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
  readonly failure: Error | undefined;
  choose(row: ValueRow, side: Side): void;
  keep(row: ListRow, change: ItemChange, kept: boolean): void;
  /** Whether the body may be sent; forgets earlier server refusals, which may be obsolete. */
  mayBeSaved(): boolean;
  refuse(error: Error): void;
}

/** Keeps the decisions between two edits; a decision is reopened when its value changes again. */
export function useMergeChoice(
  features: Features,
  current: ClientDocument,
  theirs: Readonly<Record<string, unknown>>,
  rows: readonly MergeRow[],
): MergeChoice {
  const [sides, setSides] = useState<Readonly<Record<string, Chosen>>>({});
  const [kept, setKept] = useState<Readonly<Record<string, boolean>>>({});
  const decisions: Decisions = {
    sideOf: (row) => {
      const choice = sides[row.name];
      return choice && sameValue(choice.theirs, row.theirs) ? choice.side : changedSide(row);
    },
    keeps: (row, change) => kept[keyOf(row, change)] ?? isKept(change),
  };
  const body = merged(theirs, rows, decisions);
  const validation = validateForm(features, body, current as ClientDocument & CurrentClient);
  const refusal = useRefusal(body, (name) => rows.some((row) => row.name === name));
  const undecided = rows.filter((row) => row.kind === 'value' && decisions.sideOf(row) === undefined);
  const isOpen = ({ field }: Violation) => undecided.some(({ name }) => name === fieldOf(field));
  return {
    ...decisions,
    body,
    undecided,
    violations: [...validation.violations, ...refusal.violations].filter((violation) => !isOpen(violation)),
    warnings: validation.warnings,
    failure: refusal.failure,
    choose: (row, side) => setSides({ ...sides, [row.name]: { side, theirs: row.theirs } }),
    keep: (row, change, keeps) => setKept({ ...kept, [keyOf(row, change)]: keeps }),
    mayBeSaved: () => {
      refusal.forget();
      return undecided.length === 0 && validation.violations.length === 0;
    },
    refuse: refusal.refuse,
  };
}

/** A different change of the same item is a new decision. */
function keyOf({ name }: ListRow, { item, change, by }: ItemChange): string {
  return `${name} ${change} ${by} ${item}`;
}
