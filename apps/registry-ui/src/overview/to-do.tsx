import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { featuresQuery } from '../api/client-queries.js';
import { Icon, type IconName } from '../elements/icon.js';
import { Notice } from '../elements/notice.js';
import { Panel } from '../elements/panel.js';
import { text, type TextName } from '../texts/text.js';
import classes from './overview.module.css';
import { type Stats, totalQuery } from './stats.js';

/** Secrets that expire this soon need a rotation now. */
const SOON_DAYS = 7;

const DAY_MS = 24 * 60 * 60_000;

interface Task {
  readonly name: TextName;
  readonly count: number;
  readonly icon: IconName;
  /** The filter of the clients concerned. */
  readonly search: Readonly<Record<string, string>>;
}

/** What needs someone today, most urgent first; each task opens the clients concerned. */
export function ToDo({ stats }: { readonly stats: Stats }) {
  const tasks = useTasks(stats).filter(({ count }) => count > 0);
  return (
    <Panel title={text('overview.todo')}>
      {tasks.length === 0 ? (
        <div className={classes.content}>
          <Notice kind="good" title={text('overview.todo.none')} />
        </div>
      ) : (
        <ul className={classes.tasks}>
          {tasks.map(({ name, count, icon, search }) => (
            <li key={name}>
              <Icon name={icon} />
              <Link to="/clients" search={search}>
                {text(name, { count })}
              </Link>
              <span className="hint">{text(`${name}.why` as TextName)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function useTasks({ secrets, with_warnings: warned }: Stats): readonly Task[] {
  const { data: features } = useQuery(featuresQuery);
  const recorded = features?.usage.is_recorded === true;
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const pending = { pending: 'true' };
  const refused = { refused_since: yesterday };
  const { data: pendingCount = 0 } = useQuery(totalQuery(pending));
  const { data: refusedCount = 0 } = useQuery({ ...totalQuery(refused), enabled: recorded });
  const expiring = secrets.expiring.find(({ within_days }) => within_days === SOON_DAYS)?.count ?? 0;
  return [
    {
      name: 'overview.todo.expiring',
      count: expiring,
      icon: 'clock',
      search: { secret_expires_within: String(SOON_DAYS) },
    },
    { name: 'overview.todo.pending', count: pendingCount, icon: 'check', search: pending },
    { name: 'overview.todo.refused', count: refusedCount, icon: 'refused', search: refused },
    { name: 'overview.todo.warned', count: warned, icon: 'warning', search: { has_warnings: 'true' } },
  ];
}
