import type { Features } from '../api/client-documents.js';
import { text } from '../texts/clients.js';
import {
  authenticationCell,
  fieldCell,
  idCell,
  lastUsedCell,
  nameCell,
  redirectUrisCell,
  timeCell,
  warningsCell,
} from './client-cells.js';
import type { ClientColumn } from './client-column.js';

/** Columns that do not depend on the registry. */
const OWN_COLUMNS: readonly ClientColumn[] = [
  {
    id: 'client_name',
    label: text('clients.column.name'),
    always: true,
    sort: 'client_name',
    newCell: nameCell,
  },
  {
    id: 'client_id',
    label: text('clients.column.id'),
    width: 'clamp(194px, 13vw, 360px)',
    room: 'wide',
    usual: true,
    sort: 'client_id',
    newCell: idCell,
  },
  {
    id: 'redirect_uris',
    label: text('clients.column.redirects'),
    width: 'max(198px, 40vw - 282px)',
    room: 'widest',
    usual: true,
    newCell: redirectUrisCell,
  },
  {
    id: 'authentication',
    label: text('clients.column.authentication'),
    width: '104px',
    room: 'widest',
    usual: true,
    newCell: authenticationCell,
  },
  {
    id: 'warnings',
    label: text('clients.column.warnings'),
    width: '76px',
    usual: true,
    newCell: warningsCell,
  },
  {
    id: 'last_used',
    label: text('clients.column.used'),
    width: '124px',
    room: 'widest',
    newCell: lastUsedCell,
  },
  {
    id: 'created_at',
    label: text('clients.column.created'),
    width: '124px',
    room: 'widest',
    sort: 'created_at',
    lastFirst: true,
    newCell: () => timeCell(({ created_at: at }) => at),
  },
  {
    id: 'updated_at',
    label: text('clients.column.updated'),
    width: '124px',
    room: 'middle',
    usual: true,
    sort: 'updated_at',
    lastFirst: true,
    newCell: () => timeCell(({ updated_at: at }) => at),
  },
];

const FIELD_WIDTH = '180px';

/** All available columns: the above, and every editable field. */
export function clientColumns(features: Features | undefined): ClientColumn[] {
  const known = new Set(OWN_COLUMNS.map(({ id }) => id));
  const fields = (features?.fields ?? []).filter(
    ({ name, editable }) => editable === 'always' && !known.has(name),
  );
  return [...OWN_COLUMNS, ...fields.map(({ name, label }) => fieldColumn(name, label))];
}

/** What a chosen column shows before the registry has sent the name of its field. */
export function loadingColumn(id: string): ClientColumn {
  return fieldColumn(id, '');
}

function fieldColumn(name: string, label: string): ClientColumn {
  return {
    id: name,
    label,
    width: FIELD_WIDTH,
    room: 'widest',
    newCell: () => fieldCell(name),
  };
}
