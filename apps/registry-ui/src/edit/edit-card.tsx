import type { CurrentClient } from '@svc/client-metadata';
import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { clientQuery } from '../api/client-queries.js';
import type { ClientDocument, Features, TaggedClient } from '../api/client-documents.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { Panel } from '../elements/panel.js';
import { ScopeNotice } from '../elements/scopes.js';
import { ClientForm } from '../form/client-form.js';
import { FormFields } from '../form/form-fields.js';
import { patchOf, sameValue } from '../form/form-values.js';
import { focusField } from '../form/input-help.js';
import { type ClientForm as Form, useClientForm } from '../form/use-client-form.js';
import type { Section } from '../metadata/sections.js';
import { text } from '../texts/edit.js';
import classes from './edit-card.module.css';
import { Merge, type Sent } from './merge.js';
import { useSaving } from './use-saving.js';

export interface EditCardProps {
  readonly features: Features;
  /** The fields that have inputs. */
  readonly section: Section;
  readonly client: TaggedClient;
  /** The other cards: the bar stays in sight while the user scrolls through them. */
  readonly above: ReactNode;
  readonly below: ReactNode;
  /** Another card cannot be edited while there is something to save. */
  readonly onDirty: (dirty: boolean) => void;
  readonly onDone: () => void;
}

/** The state that someone else has saved meanwhile, and their state as shown before that, if any. */
interface Conflict {
  readonly theirs: TaggedClient;
  readonly shown: TaggedClient | undefined;
}

/** One section of a client as a form, which saves that section alone, and the merge with concurrent changes. */
export function EditCard(props: EditCardProps) {
  const { features, section, client, above, below, onDirty, onDone } = props;
  // As it was when the card was opened.
  const [opened] = useState(client);
  const form = useClientForm({ features, current: membersOf(opened) });
  const { save, submitting, merge, take, leaveMerge, unsaved } = useCardSaving(opened, form, onDone);
  useEffect(() => onDirty(form.dirty), [onDirty, form.dirty]);
  const { title, fields } = section;
  useFocusOf(fields[0]?.name ?? '');
  return (
    <>
      {merge && (
        <Merge
          {...merge}
          features={features}
          fields={form.fields}
          before={opened}
          mine={form.body}
          onRefused={take}
          onSaved={onDone}
          onBack={leaveMerge}
        />
      )}
      <div hidden={merge !== undefined}>
        <ClientForm
          form={form}
          submitLabel={text('edit.save')}
          submitting={submitting}
          unsaved={text('edit.unsaved', { section: title })}
          onSubmit={save}
          cancel={
            <Button variant="subtle" color="gray" disabled={submitting} onClick={onDone}>
              {text('action.cancel')}
            </Button>
          }
        >
          <Stack gap="lg">
            {above}
            <EditedSection section={section} form={form} />
            {below}
          </Stack>
        </ClientForm>
      </div>
      <LeaveGuard guards={unsaved} title={text('leave.title')} what={text('leave.form')} />
    </>
  );
}

/** The inputs of a section. The token may have lost its scope since the card was opened. */
function EditedSection({ section, form }: Pick<EditCardProps, 'section'> & { readonly form: Form }) {
  return (
    <>
      <ScopeNotice scope="clients:write" />
      <Panel title={section.title}>
        <div className={classes.fields}>
          <FormFields form={form} fields={section.fields} />
        </div>
      </Panel>
    </>
  );
}

/** Moves the focus to a field of a card that has just been opened. */
function useFocusOf(name: string): void {
  useEffect(() => {
    focusField(name);
  }, [name]);
}

/** Saves what the form changes. Changes to other fields do not conflict; changes to the same fields are merged. */
function useCardSaving(opened: TaggedClient, form: Form, onDone: () => void) {
  const { client_id: clientId } = opened.client;
  const [conflict, setConflict] = useState<Conflict>();
  // What was typed meanwhile would be lost.
  const [comparing, setComparing] = useState(false);
  const queries = useQueryClient();
  const saving = useSaving(clientId, {
    onSaved: onDone,
    onError: (error) => take(error, form.refuse, form),
  });
  /** Failures other than a concurrent change call `refuse`. */
  const take = (error: Error, refuse: (error: Error) => void, sent: Sent) => {
    if (!(error instanceof ApiError) || error.status !== 412) return refuse(error);
    setComparing(true);
    const current = queries.fetchQuery({ ...clientQuery(clientId), staleTime: 0 });
    const compared = current.then((theirs) => {
      // By an attempt whose response was lost.
      if (hasValuesOf(sent, form, theirs)) saving.finish(theirs);
      else if (!conflict && changesNone(form.patch, opened, theirs)) {
        saving.mutate({ patch: form.patch, etag: theirs.etag });
      } else setConflict({ theirs, shown: conflict?.theirs });
    }, refuse);
    void compared.finally(() => setComparing(false));
  };
  const save = () => {
    if (Object.keys(form.patch).length === 0) return onDone();
    saving.mutate({ patch: form.patch, etag: opened.etag });
  };
  const unsaved = form.dirty && !saving.isSuccess;
  const submitting = saving.isPending || comparing;
  const merge = conflict && { ...conflict, comparing };
  return { save, submitting, merge, take, unsaved, leaveMerge: () => setConflict(undefined) };
}

/** Whether a client has the values that an attempt sent. */
function hasValuesOf({ patch, body }: Sent, { fields }: Form, tagged: TaggedClient): boolean {
  const rest = patchOf(fields, membersOf(tagged), body);
  return Object.keys(patch).every((name) => !(name in rest));
}

/** Whether the client has changed only in other fields than those of `patch`. */
function changesNone(
  patch: Readonly<Record<string, unknown>>,
  opened: TaggedClient,
  theirs: TaggedClient,
): boolean {
  const [before, now] = [membersOf(opened), membersOf(theirs)];
  return Object.keys(patch).every((name) => sameValue(before[name], now[name]));
}

function membersOf({ client }: TaggedClient): ClientDocument & CurrentClient {
  return client as ClientDocument & CurrentClient;
}
