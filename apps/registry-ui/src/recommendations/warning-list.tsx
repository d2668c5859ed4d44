import { Skeleton, Title } from '@mantine/core';
import { FIXABLE_WARNINGS } from '@svc/client-metadata';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { Failure } from '../elements/failure.js';
import { Notice } from '../elements/notice.js';
import { ScopedButton } from '../elements/scopes.js';
import { JobDialog } from '../jobs/job-dialog.js';
import type { NewJob } from '../jobs/jobs.js';
import { warningLabel } from '../metadata/warning-label.js';
import { type Stats, statsQuery } from '../overview/stats.js';
import { optionalText, text } from '../texts/recommendations.js';

type Warned = Stats['warnings'][number];
type Fixable = NonNullable<NewJob['warning']>;

/** Warnings by frequency: why each matters, which clients have it, and its fix for all of them. */
export function WarningList() {
  const { data: stats, error, refetch } = useQuery(statsQuery);
  const [fixed, setFixed] = useState<Fixable>();
  const [opened, setOpened] = useState(false);
  const fix = (code: Fixable) => {
    setFixed(code);
    setOpened(true);
  };
  return (
    <>
      <Title order={2}>{text('recommendations.warnings')}</Title>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!stats && !error && <Skeleton height={120} radius="lg" />}
      {stats?.warnings.length === 0 && <Notice kind="good" title={text('overview.attention.none')} />}
      {stats && stats.warnings.length > 0 && (
        <DataTable
          label={text('recommendations.warnings')}
          columns={columnsOf(fix)}
          rows={stats.warnings}
          keyOf={({ code }) => code}
        />
      )}
      {fixed !== undefined && (
        <JobDialog
          job={{ action: 'fix', warning: fixed, filter: { warning: fixed } }}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  );
}

function columnsOf(fix: (code: Fixable) => void): DataColumn<Warned>[] {
  return [
    {
      name: text('recommendations.column.change'),
      cell: ({ code }) => (
        <>
          <strong>{warningLabel(code)}</strong>
          <div className="hint">{optionalText(`warning.why.${code}`)}</div>
        </>
      ),
    },
    {
      name: text('recommendations.column.clients'),
      cell: ({ code, clients: count }) => (
        <Link to="/clients" search={{ warning: code }}>
          {text('clients.loaded', { count })}
        </Link>
      ),
    },
    {
      name: text('recommendations.column.fix'),
      cell: ({ code, clients: count }) =>
        isFixable(code) ? (
          <ScopedButton
            scope="clients:write"
            size="xs"
            variant="default"
            aria-label={text('recommendations.fix.named', { count, warning: warningLabel(code) })}
            onClick={() => fix(code)}
          >
            {text('recommendations.fix', { count })}
          </ScopedButton>
        ) : (
          text('recommendations.review')
        ),
    },
  ];
}

function isFixable(code: string): code is Fixable {
  return FIXABLE_WARNINGS.includes(code);
}
