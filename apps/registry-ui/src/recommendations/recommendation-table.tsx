import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { text } from '../texts/recommendations.js';
import { isBulkable, keyOf, type Recommendation } from './operations.js';

interface RecommendationTableProps {
  readonly recommendations: readonly Recommendation[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}

export function RecommendationTable({ recommendations, chosen, onToggle }: RecommendationTableProps) {
  const columns = useMemo(() => columnsOf(chosen, onToggle), [chosen, onToggle]);
  return (
    <DataTable label={text('recommendations.title')} columns={columns} rows={recommendations} keyOf={keyOf} />
  );
}

function columnsOf(
  chosen: ReadonlySet<string>,
  onToggle: (key: string) => void,
): DataColumn<Recommendation>[] {
  return [
    {
      name: text('recommendations.column.change'),
      cell: (each) =>
        isBulkable(each) ? (
          <Checkbox
            label={text(`recommendations.${each.kind}`)}
            checked={chosen.has(keyOf(each))}
            onChange={() => onToggle(keyOf(each))}
          />
        ) : (
          text(`recommendations.${each.kind}`)
        ),
    },
    {
      name: text('recommendations.column.client'),
      cell: ({ client_id: clientId, client_name: name }) => (
        <Link to="/clients/$clientId" params={{ clientId }}>
          <bdi className="foreign">{name}</bdi>
        </Link>
      ),
    },
    { name: text('recommendations.column.why'), cell: (each) => <Reason {...each} /> },
  ];
}

function Reason({ reason, evidence: { unused } }: Recommendation) {
  return (
    <>
      {reason}
      {unused.map((value) => (
        <div key={value} className="mono foreign">
          {value}
        </div>
      ))}
    </>
  );
}
