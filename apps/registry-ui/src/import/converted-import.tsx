import { NativeSelect } from '@mantine/core';
import { type ImportFormat, type Product, PRODUCTS } from '@svc/client-metadata/conversion';
import { type ReactNode, useMemo, useState } from 'react';
import type { Features } from '../api/client-documents.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/import.js';
import { ColumnMatching } from './column-matching.js';
import { matchColumns, type TargetField } from './match-columns.js';
import type { ParsedFile } from './parse-import-file.js';
import { type ColumnFields, prepareImport, type PreparedImport } from './prepare-import.js';
import { PreparedSummary } from './prepared-summary.js';

interface ConvertedImportProps {
  readonly parsed: Exclude<ParsedFile, { readonly kind: 'ndjson' }>;
  readonly features: Features;
  readonly disabled: boolean;
  /** Renders the next step for the clients to import; `version` changes whenever they do. */
  readonly children: (prepared: PreparedImport, version: string) => ReactNode;
}

/** Converts a file that is not NDJSON: the user confirms its format and its columns. */
export function ConvertedImport({ parsed, features, disabled, children }: ConvertedImportProps) {
  const targets = useMemo(() => targetFields(features), [features]);
  const [format, setFormat] = useState<ImportFormat | undefined>(parsed.format);
  const [columns, setColumns] = useState<ColumnFields>(() =>
    parsed.kind === 'csv' ? matchColumns(parsed.table.names, targets) : [],
  );
  const result = useMemo(
    () =>
      format === undefined ? undefined : attempt(() => prepareImport(parsed, format, { features, columns })),
    [parsed, format, features, columns],
  );
  return (
    <>
      <NativeSelect
        label={text('import.source')}
        description={text(parsed.format === undefined ? 'import.source.unknown' : 'import.source.what')}
        value={format ?? ''}
        disabled={disabled}
        onChange={(event) => setFormat(event.currentTarget.value as ImportFormat)}
        data={[
          ...(format === undefined
            ? [{ value: '', label: text('import.source.choose'), disabled: true }]
            : []),
          ...formatsOf(parsed).map((value) => ({ value, label: formatLabel(value) })),
        ]}
      />
      {parsed.kind === 'csv' && format === 'csv' && (
        <ColumnMatching
          table={parsed.table}
          targets={targets}
          columns={columns}
          disabled={disabled}
          onChange={setColumns}
        />
      )}
      {result instanceof Error && <Notice kind="bad" role="alert" title={result.message} />}
      {result && !(result instanceof Error) && (
        <>
          <PreparedSummary prepared={result} />
          {result.clients > 0 && children(result, `${format} ${JSON.stringify(columns)}`)}
        </>
      )}
    </>
  );
}

function attempt<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

function formatsOf({ kind }: ParsedFile): readonly ImportFormat[] {
  if (kind === 'csv') return ['csv', 'hydra'];
  const products = Object.keys(PRODUCTS) as Product[];
  return ['declarations', ...products.filter((product) => product !== 'csv')];
}

function formatLabel(format: ImportFormat): string {
  if (format === 'declarations') return text('import.source.declarations');
  return format === 'csv' ? text('import.source.table') : PRODUCTS[format].title;
}

/** What a column can become. */
function targetFields({ fields }: Features): TargetField[] {
  const editable = fields.filter(({ editable: when }) => when === 'always');
  return [
    { name: 'client_id', label: text('clients.column.id') },
    ...editable.map(({ name, label }) => ({ name, label })),
    { name: 'enabled', label: text('import.columns.enabled') },
  ];
}
