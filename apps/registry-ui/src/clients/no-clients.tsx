import { Button } from '@mantine/core';
import { NoneRegistered } from '../navigation/none-registered.js';
import { Empty } from '../elements/empty.js';
import { text } from '../texts/text.js';
import { filtersIn, type ListSearch, withoutFilters } from './list-search.js';

/** Shorter words are looked for at the beginning of names, ids and hosts only. */
const SHORTEST_ANYWHERE = 3;

interface NoClientsProps {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
}

/** Stands in for an empty list: what to do depends on why it is empty. */
export function NoClients({ search, onChange }: NoClientsProps) {
  const q = search['q'] ?? '';
  if (q === '' && filtersIn(search).length === 0) return <NoneRegistered />;
  const short = q.split(/\s+/u).some((word) => word !== '' && [...word].length < SHORTEST_ANYWHERE);
  return (
    <Empty
      icon="search"
      title={text('clients.nothing')}
      action={
        <Button variant="default" onClick={() => onChange(withoutFilters(search))}>
          {text('clients.nothing.all')}
        </Button>
      }
    >
      {text(short ? 'clients.nothing.short' : 'clients.nothing.why')}
    </Empty>
  );
}
