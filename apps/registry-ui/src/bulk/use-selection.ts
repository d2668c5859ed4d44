import { useState } from 'react';
import type { ClientDocument } from '@svc/client-metadata';

/** As many as one can still look over; the registry changes up to 1,000 at once. */
export const MAX_SELECTED = 500;

/** The Clients that something is to be done with. */
export interface Selection {
  readonly clients: readonly ClientDocument[];
  has(clientId: string): boolean;
  /** Selects a row or lets go of it; with `upTo` also all rows between it and the one touched before. */
  toggle(index: number, upTo: boolean): void;
  /** Selects all rows there are, or lets go of all. */
  toggleAll(): void;
  /** Selects rows that have just come, too. */
  add(fresh: readonly ClientDocument[]): void;
  clear(): void;
}

/** Keeps which rows are selected. Rows that leave the list are let go of. */
export function useSelection(rows: readonly ClientDocument[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<number>();
  const clients = rows.filter(({ client_id }) => ids.has(client_id));
  const toggle = (index: number, upTo: boolean) => {
    const selected = !ids.has(rows[index]?.client_id ?? '');
    const from = upTo && anchor !== undefined ? anchor : index;
    const touched = rows.slice(Math.min(from, index), Math.max(from, index) + 1);
    const next = new Set(ids);
    for (const { client_id } of touched) {
      if (!selected) next.delete(client_id);
      else if (next.size < MAX_SELECTED) next.add(client_id);
    }
    setIds(next);
    setAnchor(index);
  };
  return {
    clients,
    has: (clientId) => ids.has(clientId),
    toggle,
    toggleAll: () => {
      const all = rows.slice(0, MAX_SELECTED).map(({ client_id }) => client_id);
      setIds(clients.length === all.length ? new Set() : new Set(all));
    },
    add: (fresh) => {
      const added = fresh.map(({ client_id }) => client_id);
      setIds(new Set([...ids, ...added].slice(0, MAX_SELECTED)));
    },
    clear: () => setIds(new Set()),
  };
}
