import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChangeList } from '../changes/change-list.js';
import { recentChangesQuery } from '../changes/recent-changes.js';
import { Failure } from '../elements/failure.js';
import { Notice } from '../elements/notice.js';
import { Panel } from '../elements/panel.js';
import { Screen } from '../elements/screen.js';
import { warningLabel } from '../metadata/warning-label.js';
import { NoClientsYet, RegisterButton } from '../navigation/registration-links.js';
import { text } from '../texts/overview.js';
import { Bars, barsOfAges } from './bars.js';
import classes from './overview.module.css';
import { NO_STATS, type Stats, statsQuery } from './stats.js';
import { ToDo } from './to-do.js';

/** What needs attention today, then the registry at a glance: warnings, ages, recent changes. */
export function OverviewScreen() {
  const { data: stats, error, refetch } = useQuery(statsQuery);
  return (
    <Screen
      title={text('overview.title')}
      // A non-breaking space reserves the line.
      lead={stats ? sizeOf(stats) : '\u00A0'}
      actions={<RegisterButton />}
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {stats?.clients === 0 && <NoClientsYet />}
      {!error && stats?.clients !== 0 && (
        // Placeholders take the same space, so that nothing shifts when the data arrives.
        <Skeleton visible={!stats} inert={!stats}>
          <ToDo stats={stats ?? NO_STATS} />
        </Skeleton>
      )}
      <div className={classes.panels}>
        <div className={classes.column}>
          {!stats && !error && <Skeleton height={372} radius="lg" />}
          {stats && stats.clients > 0 && (
            <>
              <Attention stats={stats} />
              <AgePanel age={stats.age} />
              <SecretUse secrets={stats.secrets} />
            </>
          )}
        </div>
        <LatestChanges />
      </div>
    </Screen>
  );
}

function sizeOf({ clients, disabled }: Stats): string {
  const all = text('overview.clients', { count: clients });
  return disabled === 0 ? all : text('overview.clients.disabled', { clients: all, disabled });
}

/** Warnings by frequency, each linking to its clients. */
function Attention({ stats }: { readonly stats: Stats }) {
  const bars = stats.warnings.map(({ code, clients }) => ({
    id: code,
    label: (
      <Link to="/clients" search={{ warning: code }}>
        {warningLabel(code)}
      </Link>
    ),
    count: clients,
  }));
  return (
    <Panel title={text('overview.attention')}>
      <div className={classes.content}>
        {bars.length === 0 ? (
          <Notice kind="good" title={text('overview.attention.none')} />
        ) : (
          <Bars label={text('overview.attention')} bars={bars} tone="warn" />
        )}
      </div>
    </Panel>
  );
}

function AgePanel({ age }: Pick<Stats, 'age'>) {
  return (
    <Panel title={text('overview.age')}>
      <div className={classes.content}>
        <Bars label={text('overview.age')} bars={barsOfAges(age)} />
      </div>
    </Panel>
  );
}

/** When secrets were last used: unused ones are candidates for removal. */
function SecretUse({ secrets }: Pick<Stats, 'secrets'>) {
  const bars = [
    ...barsOfAges(secrets.last_use),
    { id: 'never', label: text('overview.use.never'), count: secrets.never_used },
  ];
  return (
    <Panel title={text('overview.use')}>
      <div className={classes.content}>
        <Bars label={text('overview.use')} bars={bars} />
      </div>
    </Panel>
  );
}

const MAX_CHANGES = 8;

function LatestChanges() {
  const { data, error, refetch } = useQuery(recentChangesQuery(MAX_CHANGES));
  const changes = data?.changes.slice(0, MAX_CHANGES);
  return (
    <Panel title={text('overview.latest')} actions={<Link to="/changes">{text('overview.latest.all')}</Link>}>
      {changes !== undefined && changes.length > 0 ? (
        <div className={classes.latest}>
          <ChangeList changes={changes} />
        </div>
      ) : (
        <div className={classes.content}>
          {error && <Failure error={error} onRetry={() => void refetch()} />}
          {!changes && !error && <Skeleton height={240} />}
          {changes && <p className="hint">{text('changes.none.how')}</p>}
        </div>
      )}
    </Panel>
  );
}
