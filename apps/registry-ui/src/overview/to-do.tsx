import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../elements/icon.js';
import { Notice } from '../elements/notice.js';
import { Panel } from '../elements/panel.js';
import { text, type TextName } from '../texts/overview.js';
import classes from './overview.module.css';
import type { Stats } from './stats.js';

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

/** What needs attention today, most urgent first; each task opens the clients concerned. */
export function ToDo({ stats }: { readonly stats: Stats }) {
  const tasks = tasksOf(stats).filter(({ count }) => count > 0);
  return (
    <Panel title={text('overview.todo')}>
      <div className={classes.todo}>
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
      </div>
    </Panel>
  );
}

function tasksOf({ secrets, pending, usage, with_warnings: warned }: Stats): readonly Task[] {
  const expiring = secrets.expiring.find(({ within_days }) => within_days === SOON_DAYS)?.count ?? 0;
  const dayAgo = new Date(Date.now() - DAY_MS).toISOString();
  return [
    {
      name: 'overview.todo.expiring',
      count: expiring,
      icon: 'clock',
      search: { secret_expires_within: String(SOON_DAYS) },
    },
    { name: 'overview.todo.pending', count: pending, icon: 'check', search: { pending: 'true' } },
    {
      name: 'overview.todo.refused',
      count: usage.refused,
      icon: 'refused',
      search: { refused_since: dayAgo },
    },
    { name: 'overview.todo.warned', count: warned, icon: 'warning', search: { has_warnings: 'true' } },
  ];
}
