import type { ClientDocument } from '../api/client-documents.js';
import { useState } from 'react';

/** As many as a user can review; the registry accepts 1,000. */
export const MAX_SELECTED = 500;

export interface Selection {
  readonly clients: readonly ClientDocument[];
  has(clientId: string): boolean;
  /** Toggles a row; with `upTo`, also all rows between it and the last one toggled. */
  toggle(index: number, upTo: boolean): void;
  /** Selects all loaded rows, or none. */
  toggleAll(): void;
  /** Adds newly loaded rows. */
  add(fresh: readonly ClientDocument[]): void;
  clear(): void;
}

/** The selected rows. Rows that leave the list are deselected. */
export function useSelection(rows: readonly ClientDocument[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<number>();
  const clients = rows.filter(({ client_id }) => ids.has(client_id));
  const toggle = (index: number, upTo: boolean) => {
    const selected = !ids.has(rows[index]?.client_id ?? '');
    const from = upTo && anchor !== undefined ? anchor : index;
    const touched = rows.slice(Math.min(from, index), Math.max(from, index) + 1);
    const next = new Set(clients.map(({ client_id }) => client_id));
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
      const selected = clients.map(({ client_id }) => client_id);
      setIds(new Set([...selected, ...added].slice(0, MAX_SELECTED)));
    },
    clear: () => setIds(new Set()),
  };
}
