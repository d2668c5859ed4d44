import { NativeSelect } from '@mantine/core';
import type { CsvTable } from '@svc/client-metadata/conversion';
import { useMemo } from 'react';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { text } from '../texts/import.js';
import type { TargetField } from './match-columns.js';
import type { ColumnFields } from './prepare-import.js';
import classes from './import.module.css';

/** Enough values to show what a column contains. */
const EXAMPLES = 3;

/** Columns whose values are not shown. */
const SECRET = /secret|password|token(?!_endpoint)/i;

interface ColumnMatchingProps {
  readonly table: CsvTable;
  readonly targets: readonly TargetField[];
  readonly columns: ColumnFields;
  readonly disabled: boolean;
  readonly onChange: (columns: ColumnFields) => void;
}

interface ColumnRow {
  readonly name: string;
  readonly index: number;
  readonly examples: readonly string[];
}

/** Each column of a CSV file with some of its values, and the field that it becomes. */
export function ColumnMatching({ table, targets, columns, disabled, onChange }: ColumnMatchingProps) {
  const rows = useMemo(() => rowsOf(table), [table]);
  const assign = (index: number, field: string) =>
    onChange(
      columns.map((current, at) => {
        if (at === index) return field === '' ? undefined : field;
        // Each field has one column.
        return current === field ? undefined : current;
      }),
    );
  const tableColumns: readonly DataColumn<ColumnRow>[] = [
    {
      name: text('import.columns.column'),
      cell: ({ name }) => <bdi className="mono foreign">{name}</bdi>,
    },
    {
      name: text('import.columns.examples'),
      cell: ({ examples }) => (
        <span className={`foreign ${classes.examples}`}>
          {examples.map((example) => (
            <bdi key={example}>{example}</bdi>
          ))}
        </span>
      ),
    },
    {
      name: text('import.columns.field'),
      cell: ({ name, index }) => (
        <NativeSelect
          aria-label={text('import.columns.fieldOf', { column: name })}
          value={columns[index] ?? ''}
          disabled={disabled}
          onChange={(event) => assign(index, event.currentTarget.value)}
          data={[
            { value: '', label: text('import.columns.none') },
            ...targets.map((target) => ({ value: target.name, label: target.label })),
          ]}
        />
      ),
    },
  ];
  return (
    <DataTable
      label={text('import.columns')}
      columns={tableColumns}
      rows={rows}
      keyOf={({ index }) => String(index)}
    />
  );
}

function rowsOf({ names, records }: CsvTable): ColumnRow[] {
  return names.map((name, index) => {
    if (SECRET.test(name)) return { name, index, examples: [] };
    const values = records.slice(0, 50).map(({ cells }) => cells[index] ?? '');
    return { name, index, examples: [...new Set(values.filter((value) => value !== ''))].slice(0, EXAMPLES) };
  });
}
