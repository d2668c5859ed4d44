import { useRouter } from '@tanstack/react-router';
import {
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import type { Selection } from '../bulk/use-selection.js';
import { CONFIRMED_MS, useCopying } from '../elements/copy-button.js';
import { usePrinting } from '../elements/printing.js';
import { useClock } from '../elements/relative-time.js';
import { text } from '../texts/text.js';
import type { Searched } from './client-column.js';
import classes from './client-table.module.css';
import { RowWindow } from './row-window.js';
import { DENSITIES, type TableSettings } from './table-settings.js';

interface ClientRowsProps {
  readonly clients: readonly ClientDocument[];
  readonly settings: TableSettings;
  readonly searched: Searched;
  readonly selection: Selection;
  readonly stale: boolean;
  readonly hasMore: boolean;
  readonly onNearEnd: () => void;
  /** Set while the rows are shown. */
  readonly windowRef: RefObject<RowWindow | null>;
  /** Called whenever other rows are drawn. */
  readonly onDrawn: () => void;
}

/** The rows, which are drawn without React; it only handles their events. */
export function ClientRows(props: ClientRowsProps) {
  const { copy, copiedId, dialog } = useCopyingIds();
  const body = useRowWindow(props, copiedId);
  const { clients, selection } = props;
  const { follow, preload } = useRowLinks();
  const onClick = (event: MouseEvent) => {
    const { target, shiftKey } = event;
    const selected = indexOf(target, `.${classes.selector}`);
    if (selected !== undefined) selection.toggle(selected, shiftKey);
    const linked = clients[indexOf(target, 'a') ?? -1];
    if (linked) follow(event, linked);
    const copied = clients[indexOf(target, 'button') ?? -1];
    if (copied) copy(copied.client_id);
  };
  return (
    <>
      <tbody ref={body} onClick={onClick} onPointerOver={preload} onFocus={preload} />
      {dialog}
    </>
  );
}

/** The index of the row that was clicked; `undefined` if the click was not inside an element that matches `selector`. */
function indexOf(target: EventTarget, selector: string): number | undefined {
  const row = target instanceof Element && target.closest(selector)?.closest('tr');
  return row ? Number(row.dataset['index']) : undefined;
}

/** @returns the `ref` for the table's body */
function useRowWindow(props: ClientRowsProps, copiedId: string | undefined) {
  const { clients, settings, searched, selection, stale, hasMore, onNearEnd, windowRef, onDrawn } = props;
  const { columns, density } = settings;
  const clock = useClock();
  const all = usePrinting();
  const context = useMemo(() => ({ searched, clock, copiedId }), [searched, clock, copiedId]);
  useLayoutEffect(() => {
    windowRef.current?.update({
      clients,
      columns,
      context,
      isSelected: selection.has,
      rowHeight: DENSITIES[density],
      all,
      onNearEnd: hasMore && !stale && !all ? onNearEnd : undefined,
      onDrawn,
    });
  });
  return useCallback(
    (body: HTMLTableSectionElement) => {
      const made = new RowWindow(body);
      windowRef.current = made;
      return () => {
        made.stop();
        windowRef.current = null;
      };
    },
    [windowRef],
  );
}

/** Makes links of rows act like other links of the console. */
function useRowLinks() {
  const router = useRouter();
  const preloaded = useRef(false);
  const to = '/clients/$clientId';
  /** Other clicks open a tab or window, which is up to the browser. */
  const follow = (event: MouseEvent, { client_id: clientId }: ClientDocument) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to, params: { clientId } });
  };
  /** All clients have the same screen. */
  const preload = () => {
    if (preloaded.current) return;
    preloaded.current = true;
    void router.preloadRoute({ to, params: { clientId: '-' } });
  };
  return { follow, preload };
}

function useCopyingIds() {
  const [copiedId, setCopiedId] = useState<string>();
  const { copy, dialog } = useCopying(text('clients.column.id'));
  const confirm = (id: string) => {
    setCopiedId(id);
    setTimeout(() => setCopiedId((last) => (last === id ? undefined : last)), CONFIRMED_MS);
  };
  return { copy: (id: string) => copy(id, () => confirm(id)), copiedId, dialog };
}
