import { useQuery } from '@tanstack/react-query';
import type { Violation } from '../api/api-error.js';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { Notice } from '../elements/notice.js';
import { WithReferences } from '../elements/external-link.js';
import { text } from '../texts/import.js';
import type { ChosenFile } from './import-clients.js';
import { readLines } from './read-lines.js';
import { placeOf } from './violation-place.js';
import classes from './import.module.css';

interface LineViolationsProps {
  readonly violations: readonly Violation[];
  /** The file that was sent. */
  readonly chosen: ChosenFile;
}

interface LineViolation extends Violation {
  readonly place: string;
  /** The line itself, as far as it has been read. */
  readonly content: string | undefined;
}

const COLUMNS: readonly DataColumn<LineViolation>[] = [
  {
    name: text('import.column.line'),
    cell: ({ place }) => <span className="numeric">{place}</span>,
  },
  {
    name: text('import.column.field'),
    cell: ({ field }) => <bdi className="mono foreign">{placeOf(field).field}</bdi>,
  },
  {
    name: text('import.column.issue'),
    cell: ({ message }) => (
      <span className="foreign">
        <WithReferences>{message}</WithReferences>
      </span>
    ),
  },
  {
    name: text('import.column.text'),
    cell: ({ content }) => <bdi className={`mono foreign ${classes.text}`}>{content}</bdi>,
  },
];

/** Violations by line, with the line. */
export function LineViolations({ violations, chosen }: LineViolationsProps) {
  const lines = useLines(chosen, violations);
  const rows = violations.map((violation) => {
    const line = Number(placeOf(violation.field).line);
    const place = chosen.places?.[line - 1] ?? placeOf(violation.field).line;
    return { ...violation, place, content: lines?.get(line) };
  });
  return (
    <>
      <Notice kind="bad" role="alert" title={text('import.refused')}>
        <p>{text('import.refused.how')}</p>
      </Notice>
      <DataTable
        label={text('import.issues')}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ field, code, message }) => `${field} ${code} ${message}`}
      />
    </>
  );
}

function useLines({ file, choice }: ChosenFile, violations: readonly Violation[]) {
  const wanted = violations.map(({ field }) => Number(placeOf(field).line)).filter((line) => line > 0);
  const { data } = useQuery({
    queryKey: ['import-lines', choice, wanted],
    queryFn: async () => readLines(file, new Set(wanted)),
    enabled: wanted.length > 0,
    staleTime: Infinity,
    retry: false,
    gcTime: 0,
  });
  return data;
}
