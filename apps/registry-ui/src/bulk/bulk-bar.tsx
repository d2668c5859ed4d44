import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { NewJob } from '../jobs/jobs.js';
import { EditMany } from './lazy-edit-many.js';
import { MatchingActions, type Matching } from './matching-actions.js';
import { SelectionSize } from './selection-size.js';
import { MAX_SELECTED, type Selection } from './use-selection.js';
import { Icon, type IconName } from '../elements/icon.js';
import { loadCode } from '../elements/load-code.js';
import { ScopedButton } from '../elements/scopes.js';
import { focusTitle } from '../elements/screen.js';
import { ExportMenu } from '../export/export-menu.js';
import { idQueries } from '../export/id-queries.js';
import { text } from '../texts/bulk.js';
import classes from './bulk-bar.module.css';
import { showAwaiting, useBulk } from './use-bulk.js';

/** Loaded on demand: most users never delete many clients. */
const DeleteMany = lazy(async () =>
  loadCode(async () => ({ default: (await import('./delete-many.js')).DeleteMany })),
);

interface BulkBarProps {
  readonly selection: Selection;
  /** Loads and selects the next rows; absent if there are none or the loaded rows are not all selected. */
  readonly onMore: (() => Promise<void>) | undefined;
  /** The clients of the list, loaded or not. */
  readonly matching: Matching;
  readonly onClear: () => void;
}

/** Actions on the selected clients, or on all that match; hidden without a selection. */
export function BulkBar(props: BulkBarProps) {
  const { selection, matching, onMore, onClear } = props;
  const { isAll, selectAll } = useAllMatching(selection, matching.filter);
  if (selection.clients.length === 0) return null;
  if (isAll) return <MatchingActions matching={matching} onClear={onClear} />;
  return <SelectedActions {...props} onAll={onMore && selectAll} />;
}

/** Whether all that match are selected: until the selection or the list changes. */
function useAllMatching({ clients }: Selection, filter: NewJob['filter']) {
  const key = JSON.stringify([filter, clients.length]);
  const [selected, setSelected] = useState<string>();
  // Reset, or a later selection of the same size would count as all.
  if (selected !== undefined && selected !== key) setSelected(undefined);
  return { isAll: selected === key, selectAll: () => setSelected(key) };
}

function SelectedActions({
  selection,
  matching,
  onMore,
  onAll,
  onClear,
}: BulkBarProps & { readonly onAll: (() => void) | undefined }) {
  const [deleting, setDeleting] = useState<'asked' | 'closed'>();
  const close = () => setDeleting((asked) => asked && 'closed');
  const bulk = useBulk(matching.filter['pending'] === 'true', () => {
    selection.clear();
    close();
    focusTitle();
  });
  const { clients } = selection;
  const clientIds = clients.map(({ client_id }) => client_id);
  const run = (action: 'disable' | 'delete') => bulk.mutate({ action, clientIds });
  return (
    <section className={classes.bar} aria-label={text('bulk.name')}>
      <SelectionSize onClear={onClear}>{text('bulk.selected', { count: clients.length })}</SelectionSize>
      <BulkButtons
        clientIds={clientIds}
        pending={bulk.isPending}
        onEnable={() => enableApproved(clients, (ids) => bulk.mutate({ action: 'enable', clientIds: ids }))}
        onDisable={() => run('disable')}
        onDelete={() => setDeleting('asked')}
      />
      {onMore && <More count={clients.length} onMore={onMore} />}
      {onAll && <All matching={matching} onAll={onAll} />}
      <Suspense fallback={null}>
        {deleting !== undefined && (
          <DeleteMany
            clients={clients}
            opened={deleting === 'asked'}
            pending={bulk.isPending}
            error={bulk.error}
            onDelete={() => run('delete')}
            onClose={close}
          />
        )}
      </Suspense>
    </section>
  );
}

function All({ matching, onAll }: { readonly matching: Matching; readonly onAll: () => void }) {
  return (
    <Button size="xs" variant="subtle" onClick={onAll}>
      {text(matching.isExact ? 'bulk.all' : 'bulk.all.atLeast', { count: matching.total })}
    </Button>
  );
}

/** Leaves out clients that await approval: a client must be reviewed before it is approved. */
function enableApproved(clients: Selection['clients'], enable: (clientIds: string[]) => void): void {
  const approved = clients.filter(({ pending }) => pending !== true).map(({ client_id }) => client_id);
  if (approved.length < clients.length) showAwaiting(clients.length - approved.length);
  if (approved.length > 0) enable(approved);
}

/** Extends a selection of all loaded rows to the next page, up to the limit of one request. */
function More({ count, onMore }: { readonly count: number; readonly onMore: () => Promise<void> }) {
  const more = useMutation({ mutationFn: onMore });
  if (count >= MAX_SELECTED)
    return <span className="hint">{text('bulk.limit', { count: MAX_SELECTED })}</span>;
  return (
    <Button size="xs" variant="subtle" loading={more.isPending} onClick={() => more.mutate()}>
      {text('bulk.more')}
    </Button>
  );
}

interface BulkButtonsProps {
  readonly clientIds: readonly string[];
  readonly pending: boolean;
  readonly onEnable: () => void;
  readonly onDisable: () => void;
  readonly onDelete: () => void;
}

function BulkButtons({ clientIds, pending, onEnable, onDisable, onDelete }: BulkButtonsProps) {
  return (
    <Group gap="xs">
      <BulkButton icon="check" label={text('client.enable')} disabled={pending} onClick={onEnable} />
      <BulkButton icon="pause" label={text('client.disable')} disabled={pending} onClick={onDisable} />
      <EditButton clientIds={clientIds} />
      <ExportMenu queries={idQueries(clientIds)} compact />
      <BulkButton icon="trash" label={text('client.delete')} disabled={pending} onClick={onDelete} />
    </Group>
  );
}

function EditButton({ clientIds }: { readonly clientIds: readonly string[] }) {
  const [editing, setEditing] = useState<'asked' | 'closed'>();
  return (
    <>
      <BulkButton
        icon="pencil"
        label={text('client.edit')}
        disabled={false}
        onClick={() => setEditing('asked')}
      />
      <Suspense fallback={null}>
        {editing && (
          <EditMany
            target={{ client_ids: clientIds }}
            opened={editing === 'asked'}
            onClose={() => setEditing('closed')}
          />
        )}
      </Suspense>
    </>
  );
}

interface BulkButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function BulkButton({ icon, label, ...button }: BulkButtonProps) {
  return (
    <ScopedButton
      scope="clients:write"
      size="xs"
      variant="default"
      leftSection={<Icon name={icon} size={14} />}
      {...button}
    >
      {label}
    </ScopedButton>
  );
}
