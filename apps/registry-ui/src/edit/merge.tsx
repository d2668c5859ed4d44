import { Button, Stack, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Violation } from '../api/api-error.js';
import type { ClientDocument, FeatureField, Features, TaggedClient } from '../api/client-documents.js';
import { useLacksScope } from '../api/own-token.js';
import { type Change, isRegistry } from '../changes/change-kinds.js';
import { Warnings } from '../elements/warnings.js';
import { patchOf, toBody } from '../form/form-values.js';
import { FootBar } from '../elements/foot-bar.js';
import { Notice } from '../elements/notice.js';
import { ScopeNotice } from '../elements/scopes.js';
import { fieldOf } from '../form/use-refusal.js';
import { text } from '../texts/edit.js';
import { ChangedBy } from './merge-inputs.js';
import { changesSinceQuery, latestByActor } from './changes-since.js';
import { type MergeRow, mergeRows } from './merge-changes.js';
import classes from './merge.module.css';
import { focusFirst, MergeRows } from './merge-rows.js';
import { useMergeChoice } from './use-merge-choice.js';
import { useSaving } from './use-saving.js';

/** What an attempt to save changes, and the state that it leads to. */
export interface Sent {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

interface MergeProps {
  readonly features: Features;
  readonly fields: readonly FeatureField[];
  /** The client when the form was opened, as it is now, and as the form would save it. */
  readonly before: TaggedClient;
  readonly theirs: TaggedClient;
  readonly mine: Readonly<Record<string, unknown>>;
  /** Their state as shown before it changed again. */
  readonly shown: TaggedClient | undefined;
  /** Their state is being read again, since they have changed it once more. */
  readonly comparing: boolean;
  readonly onRefused: (error: Error, refuse: (error: Error) => void, sent: Sent) => void;
  readonly onSaved: () => void;
  readonly onBack: () => void;
}

/** Merges two concurrent edits of a client, validating the result as choices change. */
export function Merge(props: MergeProps) {
  const { features, fields, before, theirs, mine, shown, comparing, onRefused, onSaved, onBack } = props;
  const bodyOf = ({ client }: TaggedClient) => toBody(fields, members(client), members(client));
  const now = bodyOf(theirs);
  const lists = { before: bodyOf(before), theirs: now, mine, shown: shown && bodyOf(shown) };
  const rows = mergeRows({ fields, ...lists });
  const choice = useMergeChoice(features, theirs.client, now, rows);
  const patch = patchOf(fields, members(theirs.client), choice.body);
  const saving = useSaving(theirs.client.client_id, {
    onSaved,
    onError: (error) => onRefused(error, choice.refuse, { patch, body: choice.body }),
  });
  const pending = saving.isPending || comparing;
  const { data: changes = [] } = useQuery(changesSinceQuery(before, theirs));
  const hasViolation = ({ name }: MergeRow) => choice.violations.some(({ field }) => fieldOf(field) === name);
  const [missed, setMissed] = useState(false);
  const save = () => {
    setMissed(true);
    if (choice.mayBeSaved()) saving.mutate({ patch, etag: theirs.etag });
    else focusFirst([...choice.undecided, ...rows.filter(hasViolation)]);
  };
  const top = useTopOf(theirs);
  // A notice above explains why the button is disabled.
  const lacks = useLacksScope('clients:write');
  return (
    <Stack gap="lg" ref={top} tabIndex={-1} className={classes.merge}>
      <ConflictNotice changes={changes} again={shown !== undefined} />
      <ScopeNotice scope="clients:write" />
      <Stack gap="lg" inert={pending}>
        <MergeRows rows={rows} fields={fields} choice={choice} changes={changes} missed={missed} />
      </Stack>
      <ViolationsElsewhere violations={choice.violations} rows={rows} />
      <Warnings warnings={choice.warnings} />
      <FootBar failure={choice.failure} onSave={lacks || pending ? undefined : save}>
        <Button loading={pending} disabled={lacks} onClick={save}>
          {text('merge.save')}
        </Button>
        <Button variant="subtle" color="gray" disabled={pending} onClick={onBack}>
          {text('merge.back')}
        </Button>
        <Undecided rows={choice.undecided} />
      </FootBar>
    </Stack>
  );
}

interface ConflictNoticeProps {
  readonly changes: readonly Change[];
  /** They have changed it once more since it was shown. */
  readonly again: boolean;
}

function ConflictNotice({ changes, again }: ConflictNoticeProps) {
  // Unknown while they load.
  const title = changes.some(({ actor }) => !isRegistry(actor)) ? 'merge.title' : 'merge.title.neutral';
  return (
    <Notice kind="warn" role="alert" title={text(again ? 'merge.again' : title)}>
      {latestByActor(changes).map((change) => (
        <p key={change.seq}>
          <ChangedBy change={change} />
        </p>
      ))}
      <p>{text(again ? 'merge.again.lead' : 'merge.lead')}</p>
    </Notice>
  );
}

/** The number of undecided fields; moves the focus to the first. */
function Undecided({ rows }: { readonly rows: readonly MergeRow[] }) {
  if (rows.length === 0) return null;
  return (
    <UnstyledButton className={classes.undecided} onClick={() => focusFirst(rows)}>
      {text('merge.undecided', { count: rows.length })}
    </UnstyledButton>
  );
}

interface ViolationsElsewhereProps {
  readonly violations: readonly Violation[];
  readonly rows: readonly MergeRow[];
}

/** Violations of fields that the merge does not show. */
function ViolationsElsewhere({ violations, rows }: ViolationsElsewhereProps) {
  const elsewhere = violations.filter(({ field }) => !rows.some(({ name }) => name === fieldOf(field)));
  if (elsewhere.length === 0) return null;
  return (
    <Notice kind="bad" role="alert" title={text('form.issues', { count: elsewhere.length })}>
      <ul>
        {elsewhere.map(({ field, message }) => (
          <li key={`${field} ${message}`}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Scrolls to the explanation at the top whenever their state changes. */
function useTopOf(theirs: TaggedClient) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [theirs]);
  return top;
}

function members(client: ClientDocument): Record<string, unknown> {
  return client as unknown as Record<string, unknown>;
}
