import { type ReactNode, useRef } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { useTypedKey } from '../elements/use-typed-key.js';
import type { ListSearch } from './list-search.js';
import classes from './list-toolbar.module.css';
import { SearchField } from './search-field.js';

interface ListToolbarProps {
  readonly search: ListSearch;
  /** `passing`: an intermediate search that gets no entry in the browser history. */
  readonly onChange: (search: ListSearch, passing: boolean) => void;
  readonly clients: readonly ClientDocument[] | undefined;
  /** Further controls of the list. */
  readonly children: ReactNode;
}

/** The search box and other controls. A slash focuses the box. */
export function ListToolbar({ children, ...searched }: ListToolbarProps) {
  const box = useRef<HTMLInputElement>(null);
  useTypedKey('/', () => box.current?.focus());
  return (
    <div className={classes.toolbar} role="search">
      <SearchField box={box} {...searched} />
      {children}
    </div>
  );
}
